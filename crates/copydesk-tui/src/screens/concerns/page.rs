//! The state of the page of concerns: the list, the selected concern, and the texts beside the list.

use std::collections::HashMap;

use crate::screens::article::Printed;
use crate::screens::changes::Compared;
use crate::screens::concerns::{ConcernRow, ExcerptPlaces, model, panes};
use crate::screens::story::Pane;
use crate::widgets::{Page, unsure};
use copydesk_core::agents::fix_in_sentences;
use copydesk_core::editorial::{changes::Change, decisions};
use copydesk_newsroom::{ExaminedObject, Journal, Passage, Source, Wait};
use copydesk_proof::Bearing;

/// The concerns of one round, and what is shown of them.
#[derive(Debug, Clone, Default)]
pub struct ConcernsPage {
    round: u32,
    pub rows: Vec<ConcernRow>,
    /// Whether its story waits at the gate of this round, where a fix can be taken.
    takes_fix: bool,
    /// The selected concern, as an index into `rows`.
    pub selected: usize,
    /// First row of the list on the screen.
    pub top: usize,
    /// The pane with the focus.
    pub pane: Pane,
    /// The draft of the round, with the excerpts marked.
    pub draft: Printed,
    /// The verdict on the selected concern.
    pub verdict: Page,
    pub source_name: String,
    /// The text of the source, with the passage marked.
    pub source: Page,
    /// The passage that `source` was laid out for.
    source_of: Option<Bearing>,
    /// The round and concern beside which a searched passage is shown. It stays until another concern is selected.
    searched_beside: Option<(u32, Option<u32>)>,
    /// The changes that stand below the draft in a large window, as last laid out.
    pub compared: Option<Compared>,
    /// Where the excerpts of a round's concerns stand in its draft, once they are known.
    places: Option<(u32, ExcerptPlaces)>,
    /// The sentence before and after the fix of a concern, for those that were looked at: the whole draft is compared for one.
    fixes: HashMap<u32, Option<(String, String)>>,
    /// The passages that bear on concerns, by round and concern, once they are known.
    pub bearings: HashMap<(u32, u32), Option<Bearing>>,
}

impl ConcernsPage {
    /// Reads the concerns of `round`; another round begins at its first concern.
    pub fn read(&mut self, round: u32, journal: &Journal, sources: &[Source]) {
        if round != self.round {
            (self.round, self.selected) = (round, 0);
        }
        self.rows = model::rows(journal, round);
        self.takes_fix = matches!(decisions::waits(journal), Some(Wait::Gate { round: at }) if at == round);
        self.compared = None;
        self.fixes.clear();
        self.selected = self.selected.min(self.rows.len().saturating_sub(1));
        self.lay(journal, sources);
    }

    /// Makes the texts beside the list again. A text that does not change keeps its reader's place.
    pub fn lay(&mut self, journal: &Journal, sources: &[Source]) {
        match journal.draft(self.round) {
            Some(draft) => {
                let marks = self.places().map(|places| panes::excerpts(places, self.selected)).unwrap_or_default();
                self.draft.set(&draft.article, marks);
            }
            None => self.draft.clear(),
        }
        let doubts = self.doubts(journal, sources);
        let offered = self.row().filter(|row| self.takes_fix && row.is_open()).map(|row| row.id);
        let fixed = offered
            .and_then(|id| self.fixes.entry(id).or_insert_with(|| fix_in_sentences(journal, self.round, id)).clone());
        let verdict = panes::verdict(self.row(), sources, &doubts, fixed.as_ref());
        if verdict.text() != self.verdict.text() {
            self.verdict = verdict;
        }
        self.lay_source(journal, sources);
    }

    /// The words of a recording that its recogniser was unsure of, and on which the passage for the selected concern rests.
    fn doubts(&self, journal: &Journal, sources: &[Source]) -> Vec<String> {
        let Some(Bearing { source, range, .. }) = self.bearing() else { return Vec::new() };
        let Some(source) = sources.get(*source) else { return Vec::new() };
        let passage = source.text.get(range.clone()).unwrap_or_default();
        unsure::advice(journal.recording(&source.name), range.start, passage)
    }

    /// Shows the source with the passage that bears on the selected concern.
    fn lay_source(&mut self, journal: &Journal, sources: &[Source]) {
        if self.searched_beside.is_some_and(|beside| beside == self.beside()) {
            return;
        }
        let leaves_search = self.searched_beside.take().is_some();
        let bearing = self.bearing().cloned();
        if self.source_of == bearing && !leaves_search && !self.source.text().is_empty() {
            return;
        }
        (self.source_name, self.source) = panes::source(journal, sources, bearing.as_ref());
        self.source_of = bearing;
    }

    /// Shows a passage in its source, beside the selected concern. False if no source has it.
    pub fn show_passage(&mut self, passage: &Passage, journal: &Journal, sources: &[Source]) -> bool {
        let Some((name, page)) = panes::passage(journal, sources, passage) else { return false };
        (self.source_name, self.source, self.source_of) = (name, page, None);
        self.searched_beside = Some(self.beside());
        self.pane = Pane::Source;
        true
    }

    /// The source that is shown beside the selected concern, or its passage that bears on the concern.
    pub fn shown_source(&self) -> Option<ExaminedObject> {
        let source = Some(self.source_name.clone()).filter(|name| !name.is_empty())?;
        Some(match &self.source_of {
            Some(Bearing { range, .. }) => ExaminedObject::Passage { source, start: range.start, end: range.end },
            None => ExaminedObject::Source { source },
        })
    }

    fn beside(&self) -> (u32, Option<u32>) {
        (self.round, self.row().map(|concern| concern.id))
    }

    /// The selected concern.
    pub fn row(&self) -> Option<&ConcernRow> {
        self.rows.get(self.selected)
    }

    pub fn select(&mut self, by: isize) {
        self.selected = self.selected.saturating_add_signed(by).min(self.rows.len().saturating_sub(1));
    }

    /// How many concerns are not KEEP and not fixed in the text.
    pub fn open(&self) -> usize {
        self.rows.iter().filter(|concern| concern.is_open()).count()
    }

    /// The change that the selected concern asked for, else the one nearest to its words. `is_older` says whether the concern is about the
    /// older one of the compared drafts.
    pub fn change(&self, is_older: bool) -> Option<usize> {
        let (row, comparison) = (self.row()?, &self.compared.as_ref()?.comparison);
        let asked = |change: &Change| comparison.asked_for(change).and_then(|asked| asked.concern) == Some(row.id);
        if let Some(asked) = comparison.changes.iter().position(asked).filter(|_| is_older) {
            return Some(asked);
        }
        let (field, words) = self.places()?.get(self.selected)?.as_ref()?;
        let away = |change: &Change| {
            let at = if is_older { &change.old } else { &change.new };
            at.start.abs_diff(words.start)
        };
        let beside = comparison.changes.iter().enumerate().filter(|(_, change)| change.field == *field);
        beside.min_by_key(|(_, change)| away(change)).map(|(place, _)| place)
    }

    /// The passage for the selected concern: not known yet, known to be absent, or its place.
    pub fn known_bearing(&self) -> Option<&Option<Bearing>> {
        self.bearings.get(&(self.round, self.row()?.id))
    }

    pub fn bearing(&self) -> Option<&Bearing> {
        self.known_bearing()?.as_ref()
    }

    /// Where the excerpts stand in the draft that is shown, once they are known.
    pub fn places(&self) -> Option<&ExcerptPlaces> {
        let (round, places) = self.places.as_ref()?;
        (*round == self.round && places.len() == self.rows.len()).then_some(places)
    }

    pub fn set_places(&mut self, round: u32, places: ExcerptPlaces) {
        self.places = Some((round, places));
    }

    /// Whether the words of the selected concern were searched for and are not in the draft.
    pub fn has_no_excerpt(&self) -> bool {
        self.places().and_then(|places| places.get(self.selected)).is_some_and(Option::is_none)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_core::editorial::testing::at_gate;
    use copydesk_newsroom::{RecordedSource, UnsureWords};
    use copydesk_proof::Ground;

    #[test]
    fn the_sentences_of_a_fix_are_worked_out_once_until_the_story_changes() {
        let journal = at_gate();
        let sources = journal.sources();
        let mut page = ConcernsPage::default();
        page.read(1, &journal, &sources);
        assert!(page.fixes.is_empty(), "a KEEP has none");
        page.select(1);
        page.lay(&journal, &sources);
        let id = page.row().unwrap().id;
        assert_eq!(page.fixes.get(&id), Some(&None), "its words are not in the draft");
        page.fixes.insert(id, Some(("It was.".into(), "It is.".into())));
        page.lay(&journal, &sources);
        assert!(page.verdict.text().contains("It is."), "{}", page.verdict.text());
        page.read(1, &journal, &sources);
        assert!(!page.verdict.text().contains("It is."), "{}", page.verdict.text());
    }

    #[test]
    fn a_concern_whose_passage_was_heard_says_where_to_listen() {
        let mut journal = at_gate();
        let sources = journal.sources();
        let Source { name, text } = &sources[0];
        let unsure = vec![UnsureWords { start: 0, end: 3, seconds: 70 }];
        journal.opening.recorded = vec![RecordedSource { source: name.clone(), file: Some("talk.wav".into()), unsure }];
        let mut page = ConcernsPage::default();
        page.read(1, &journal, &sources);
        assert!(!page.verdict.text().contains("listen"), "{}", page.verdict.text());
        let bearing = Bearing { source: 0, range: 0..text.len(), ground: Ground::Quoted };
        page.bearings.insert((1, page.row().unwrap().id), Some(bearing));
        page.lay(&journal, &sources);
        let told = format!("\n\nThe recogniser was unsure of these words\n“{}” (listen: 00:01:10)\n", &text[..3]);
        assert!(page.verdict.text().ends_with(&told), "{}", page.verdict.text());
    }
}
