//! The search: the query, where to search, the hits, and the selected passage.

use std::{collections::HashSet, sync::Arc};

use strum::{IntoStaticStr, VariantArray};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::app::{SearchAnswer, Ticket, Within};
use crate::widgets::{Mark, Page, Sheet, TextRole, ring};
use copydesk_core::ports::{Around, Found, Hit, RunKey, Stock, StoreError};
use copydesk_newsroom::{Journal, Passage};
use copydesk_text::{inflection, sanitise};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, IntoStaticStr, VariantArray)]
pub enum Scope {
    #[default]
    Everywhere,
    #[strum(serialize = "This story")]
    Sources,
    #[strum(serialize = "Knowledge base")]
    Knowledge,
    Stories,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, VariantArray)]
pub enum SearchStage {
    #[default]
    Query,
    Hits,
    Passage,
}

#[derive(Debug, Clone, Default)]
pub struct SearchPage {
    pub query: String,
    /// Whether the query is from the last time: what is typed replaces it.
    pub is_kept: bool,
    pub scope: Scope,
    /// Whether texts of any credibility count.
    pub all: bool,
    pub stage: SearchStage,
    /// The story that the search was opened from.
    pub story: Option<(RunKey, Arc<Journal>)>,
    pub asked: Option<Ticket>,
    pub found: Option<Result<Found, StoreError>>,
    /// The size of the index, once it is known.
    pub stock: Option<Stock>,
    pub selected: usize,
    pub top: usize,
    pub page: Page,
    /// The ticket of the request for the text around the passage.
    pub reading: Option<Ticket>,
}

impl SearchPage {
    pub fn hits(&self) -> &[Hit] {
        match &self.found {
            Some(Ok(found)) => &found.hits,
            Some(Err(_)) | None => &[],
        }
    }

    pub fn hit(&self) -> Option<&Hit> {
        self.hits().get(self.selected)
    }

    pub fn is_blank(&self) -> bool {
        sanitise::is_blank(&self.query)
    }

    /// The open story's sources can only be searched if there is one.
    pub fn scopes(&self) -> impl Iterator<Item = Scope> {
        let of_story = self.story.is_some();
        Scope::VARIANTS.iter().copied().filter(move |scope| of_story || *scope != Scope::Sources)
    }

    pub fn next_scope(&mut self) {
        let scopes: Vec<Scope> = self.scopes().collect();
        let place = scopes.iter().position(|scope| *scope == self.scope).map_or(0, |place| place + 1);
        self.scope = scopes.get(place).copied().unwrap_or_default();
    }

    pub fn within(&self) -> Within {
        match (self.scope, &self.story) {
            (Scope::Sources, Some((run, journal))) => Within::Sources { run: *run, journal: Arc::clone(journal) },
            (Scope::Everywhere | Scope::Sources, _) => Within::Everywhere,
            (Scope::Knowledge, _) => Within::Knowledge,
            (Scope::Stories, _) => Within::Stories,
        }
    }

    pub fn clear(&mut self) {
        (self.asked, self.found, self.selected, self.top) = (None, None, 0, 0);
        self.stage = SearchStage::Query;
        self.lay(None);
    }

    /// Takes an answer. A hit that was selected by hand stays selected if it was found again. False if the answer is not to the last
    /// request.
    pub fn take(&mut self, ticket: Ticket, answer: Result<SearchAnswer, StoreError>) -> bool {
        if self.asked != Some(ticket) {
            return false;
        }
        let before = self.hit().filter(|_| self.selected > 0).map(|hit| (hit.story.clone(), hit.passage.clone()));
        self.asked = self.asked.filter(|_| answer.as_ref().is_ok_and(|answer| answer.goes_on));
        self.found = Some(answer.map(|answer| {
            self.stock = Some(answer.stock);
            answer.found
        }));
        let is_it = |hit: &Hit| before.as_ref().is_some_and(|(story, its)| *its == hit.passage && *story == hit.story);
        self.selected = self.hits().iter().position(is_it).unwrap_or(0);
        if self.hits().is_empty() {
            self.stage = SearchStage::Query;
        }
        self.lay(None);
        true
    }

    pub fn surround(&mut self, ticket: Ticket, around: Option<&Around>) {
        if self.reading == Some(ticket) {
            self.reading = None;
            self.lay(around);
        }
    }

    /// Returns whether the selection moved.
    pub fn select(&mut self, by: isize) -> bool {
        let before = self.selected;
        self.selected = before.saturating_add_signed(by).min(self.hits().len().saturating_sub(1));
        if self.selected != before {
            self.lay(None);
        }
        self.selected != before
    }

    /// Moves the focus, wrapping around; without hits the query keeps it.
    pub fn turn(&mut self, by: isize) {
        let next = ring::neighbour(SearchStage::VARIANTS, self.stage, by);
        self.stage = if self.hits().is_empty() { SearchStage::Query } else { next };
    }

    /// Lays the selected passage out, with the text around it if that is known.
    fn lay(&mut self, around: Option<&Around>) {
        let (text, marks, shown) = self.hit().map(|hit| laid(hit, around)).unwrap_or_default();
        self.page = Page::new(text.into());
        self.page.mark(marks);
        self.page.show(&(shown..shown));
    }
}

/// The text, its marks, and where the passage begins. Lines above and below the passage separate it without colour.
pub(crate) fn laid(hit: &Hit, around: Option<&Around>) -> (String, Vec<Mark>, usize) {
    let Passage { text, .. } = &hit.passage;
    let mut sheet = Sheet::default();
    let before = around.map(|around| sanitise::clean(&around.before)).unwrap_or_default();
    if !before.trim().is_empty() {
        sheet.line(before.trim_end(), TextRole::Dim);
    }
    sheet.line("▼ passage", TextRole::Name);
    let shown = sheet.len();
    let words = hit.text.as_ref().map_or(&[][..], |text| &text.words);
    marked(&mut sheet, sanitise::clean(text).trim_end(), words);
    sheet.line("", TextRole::Text);
    let after = around.map(|around| sanitise::clean(&around.after)).unwrap_or_default();
    if !after.trim().is_empty() {
        sheet.line("▲ end of the passage", TextRole::Name);
        sheet.line(after.trim_start_matches([' ', '\n']).trim_end(), TextRole::Dim);
    }
    let (text, marks) = sheet.into_parts();
    (text, marks, shown)
}

/// A text with each form of the matched words marked.
fn marked(sheet: &mut Sheet, text: &str, words: &[String]) {
    let wanted: HashSet<String> = words.iter().flat_map(|word| roots(word)).collect();
    for piece in text.split_word_bounds() {
        let is_word = piece.chars().any(char::is_alphanumeric);
        let role = if is_word && roots(piece).iter().any(|root| wanted.contains(root)) {
            TextRole::Hit
        } else {
            TextRole::Text
        };
        sheet.add(piece, role);
    }
}

/// The forms that a word can have. The index compares stems, so this marks too much rather than too little.
fn roots(word: &str) -> Vec<String> {
    const ENDINGS: [&str; 8] = ["ation", "ment", "ness", "able", "ion", "ive", "al", "or"];
    let mut roots = inflection::bases(&word.to_lowercase());
    for ending in ENDINGS {
        let cut: Vec<String> = roots.iter().filter_map(|root| Some(root.strip_suffix(ending)?.to_owned())).collect();
        roots.extend(cut.into_iter().filter(|root| root.chars().count() >= 4));
    }
    roots
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::mark::TextRole;
    use copydesk_core::ports::TextMatch;
    use copydesk_newsroom::Passage;

    fn hit(file: &str, text: &str, words: &[&str]) -> Hit {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        Hit {
            passage: Passage {
                file: file.into(),
                start: 7,
                end: 7 + text.len() as u64,
                text: text.into(),
                ..Passage::default()
            },
            title: format!("On {file}"),
            story: None,
            tokens: 9,
            score: 0.5,
            text: Some(TextMatch { rank: 1, score: 3.0, words }),
            dense: None,
        }
    }

    fn asked(search: &mut SearchPage) -> Ticket {
        let ticket = Ticket(search.asked.unwrap_or_default().0 + 1);
        search.asked = Some(ticket);
        ticket
    }

    fn answer(hits: Vec<Hit>) -> SearchAnswer {
        SearchAnswer { found: Found { hits, words: 1, words_only: None, degraded: false }, ..SearchAnswer::default() }
    }

    #[test]
    fn a_stale_answer_is_dropped_and_what_was_selected_stays() {
        let mut search = SearchPage::default();
        let first = asked(&mut search);
        let last = asked(&mut search);
        assert!(!search.take(first, Ok(answer(vec![hit("a", "Park.", &[])]))));
        assert!(search.hits().is_empty());
        let (a, b) = (hit("a", "Park.", &[]), hit("b", "Parks.", &[]));
        assert!(search.take(last, Ok(SearchAnswer { goes_on: true, ..answer(vec![a.clone(), b.clone()]) })));
        assert_eq!((search.asked, search.selected), (Some(last), 0), "more is to come");
        assert!(search.select(1) && !search.select(1));
        search.stage = SearchStage::Hits;
        assert!(search.take(last, Ok(answer(vec![hit("c", "The park.", &[]), b, a]))));
        assert_eq!((search.asked, search.hit().unwrap().passage.file.as_str()), (None, "b"));
        assert!(!search.take(last, Ok(answer(vec![]))), "it was answered");
        let ticket = asked(&mut search);
        assert!(search.take(ticket, Err(StoreError::Full { file: "copydesk.db".into() })));
        assert_eq!((search.hits().len(), search.stage, &**search.page.text()), (0, SearchStage::Query, ""));
    }

    #[test]
    fn the_first_of_an_answer_is_selected_where_nobody_chose() {
        let mut search = SearchPage::default();
        let (a, b) = (hit("a", "Park.", &[]), hit("b", "Parks.", &[]));
        let ticket = asked(&mut search);
        search.take(ticket, Ok(answer(vec![a.clone(), b.clone()])));
        let ticket = asked(&mut search);
        search.take(ticket, Ok(answer(vec![b, a])));
        assert_eq!(search.hit().unwrap().passage.file, "b");
    }

    #[test]
    fn a_passage_stands_in_its_text_with_its_words_marked_in_whichever_form() {
        let mut search = SearchPage::default();
        let ticket = asked(&mut search);
        let text = "The councils voted\u{1b}[2J on Election\u{202e} day. Park!";
        search.take(ticket, Ok(answer(vec![hit("a", text, &["council", "vote", "elect"])])));
        assert_eq!(&**search.page.text(), "▼ passage\nThe councils voted on Election day. Park!\n");
        let reading = Ticket(1);
        search.reading = Some(Ticket(2));
        let around = Around { before: "Before\u{7} it.\n\n".into(), after: "\nAnd after.\r\n".into() };
        search.surround(reading, Some(&around));
        assert!(search.page.text().starts_with('▼'), "another passage's surroundings");
        search.surround(Ticket(2), Some(&around));
        let said =
            "Before it.\n▼ passage\nThe councils voted on Election day. Park!\n▲ end of the passage\nAnd after.\n";
        assert_eq!(&**search.page.text(), said);
        let (text, marks, shown) = laid(search.hit().unwrap(), Some(&around));
        let hits: Vec<&str> =
            marks.iter().filter(|mark| mark.role == TextRole::Hit).map(|mark| &text[mark.range.clone()]).collect();
        assert_eq!(hits, ["councils", "voted", "Election"]);
        assert!(text[shown..].starts_with("The councils"));
    }

    #[test]
    fn a_storys_sources_are_a_place_only_where_a_story_is_open() {
        let mut search = SearchPage::default();
        let mut seen = Vec::new();
        for _ in 0..4 {
            search.next_scope();
            seen.push(search.scope);
        }
        assert_eq!(seen, [Scope::Knowledge, Scope::Stories, Scope::Everywhere, Scope::Knowledge]);
        search.scope = Scope::Sources;
        assert_eq!(search.within(), Within::Everywhere, "the story was closed");
        search.next_scope();
        assert_eq!(search.scope, Scope::Everywhere);
        let journal = Arc::new(Journal::new(copydesk_core::editorial::testing::opening()));
        search.story = Some((RunKey(3), journal));
        search.next_scope();
        assert!(matches!(search.within(), Within::Sources { run: RunKey(3), .. }));
    }

    #[test]
    fn the_keys_go_round_where_something_was_found() {
        let mut search = SearchPage::default();
        search.turn(1);
        assert_eq!(search.stage, SearchStage::Query);
        let ticket = asked(&mut search);
        search.take(ticket, Ok(answer(vec![hit("a", "Park.", &[])])));
        let stages: Vec<SearchStage> = [1, 1, 1, -1]
            .into_iter()
            .map(|by| {
                search.turn(by);
                search.stage
            })
            .collect();
        assert_eq!(stages, [SearchStage::Hits, SearchStage::Passage, SearchStage::Query, SearchStage::Passage]);
        search.clear();
        assert_eq!((search.stage, search.found.is_none(), &**search.page.text()), (SearchStage::Query, true, ""));
    }
}
