//! Where the sources speak of what a sentence of the draft says: what a specialist judges a concern by. The whole of the sources is read
//! for it, so that "not found" may be said.

use std::{ops::Range, sync::Arc};

use crate::{
    ledger::LedgerWriter,
    rule::Gravity,
    sources::{DraftField, ProofTexts, SourceArchive, SourceLine, content},
};
use copydesk_newsroom::{ArticleResponse, Journal, Passage, SentenceSources, Source, SourcePlace};

/// A place in a draft: a field by its contract name, and bytes of it.
pub type DraftPlace = (&'static str, Range<usize>);

/// A passage begins with its paragraph if that is not longer than this before the sentence, in bytes.
const NEAR: usize = 600;

/// So many passages of a sentence that shares too little with any to be made of it.
const REMOTE: usize = 2;

/// The passages of every sentence of a draft, best first, from what a ledger has aligned.
pub(super) fn of_ledger(ledger: &LedgerWriter<'_, '_>) -> Vec<SentenceSources> {
    let spots = ledger.texts.sentences().filter(|spot| !spot.item.tokens.is_empty());
    spots.map(|spot| of_sentence(ledger, spot.field, spot.index)).collect()
}

/// The passages of the sentences of a round's draft that touch a place in it, best first, each once. If no ledger was kept of the draft, the
/// sources are read: then it blocks.
#[must_use]
pub fn passages_of(journal: &Journal, round: u32, place: &DraftPlace) -> Vec<Passage> {
    let kept = journal.proof(round).and_then(|proof| proof.kept.as_ref()).map(|kept| kept.sources.as_slice());
    let read: Arc<[SentenceSources]>;
    let sentences = match (kept.unwrap_or_default(), journal.draft(round)) {
        ([], None) => return Vec::new(),
        ([], Some(draft)) => {
            read = journal.once(round, 0, || Arc::<[_]>::from(sentences_of(&draft.article, &journal.sources())));
            &read
        }
        (kept, _) => kept,
    };
    let mut shown: Vec<Passage> = Vec::new();
    let (field, place) = place;
    let touching = sentences.iter().filter(|of| of.field == *field && of.start < place.end && place.start < of.end);
    for passage in touching.flat_map(|of| &of.passages).filter_map(|place| passage(journal, place)) {
        if !shown.contains(&passage) {
            shown.push(passage);
        }
    }
    shown
}

/// The passages of the sentences of a draft.
fn sentences_of(article: &ArticleResponse, sources: &[Source]) -> Vec<SentenceSources> {
    of_ledger(&LedgerWriter::new(&ProofTexts::new(article, sources), false, Gravity::Block))
}

fn of_sentence(ledger: &LedgerWriter<'_, '_>, field: &DraftField<'_>, index: usize) -> SentenceSources {
    let archive = &ledger.texts.archive;
    let aligned = ledger.aligned(field, index);
    let windows = aligned.windows.iter().filter_map(|window| widened(archive, window.place, &window.lines));
    let mut passages: Vec<SourcePlace> = windows.collect();
    if passages.is_empty() {
        // A sentence of figures and names alone.
        let hits = archive.passages(&content(field.reading.line_tokens(index)), REMOTE);
        let line = |place: SourceLine| widened(archive, place, &(place.line..place.line + 1));
        passages.extend(hits.into_iter().filter_map(|hit| line(hit.place)));
    }
    let (start, end) = field.reading.lines.get(index).map_or((0, 0), |line| (line.start, line.end));
    SentenceSources { field: field.name.to_owned(), start, end, passages }
}

/// Sentences of a source, from the beginning of their paragraph if that is near, with the speaker whose turn they are.
fn widened(archive: &SourceArchive<'_>, place: SourceLine, lines: &Range<usize>) -> Option<SourcePlace> {
    let reading = archive.reading(place)?;
    let Range { start: first, end } = reading.bytes_of(lines.clone())?;
    let paragraph = reading.lines.get(reading.paragraph(lines.start).start)?.start;
    let start = if first - paragraph <= NEAR { paragraph } else { first };
    let before = reading.labels.partition_point(|label| label.start <= first);
    let label = before.checked_sub(1).and_then(|at| reading.labels.get(at)).filter(|label| label.end <= start);
    let speaker = label.map(|label| reading.slice(label.clone()).trim().trim_end_matches(':').to_owned());
    Some(SourcePlace { source: place.source, start, end, speaker: speaker.filter(|name| !name.is_empty()) })
}

/// A place as a passage; none if the source does not have it.
fn passage(journal: &Journal, place: &SourcePlace) -> Option<Passage> {
    let (name, text) = journal.texts().nth(place.source)?;
    let text = text.get(place.start..place.end)?.to_owned();
    Some(Passage {
        file: name.to_owned(),
        start: place.start as u64,
        end: place.end as u64,
        text,
        tier: journal.tier(name),
        heading: place.speaker.clone().unwrap_or_default(),
        credibility: journal.credibility(name),
        ..Passage::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Gravity,
        check::{DraftLedger, ledger_beside},
    };
    use copydesk_newsroom::testing::{add, article, opening};
    use copydesk_newsroom::{Draft, KeptLedger, Outcome, Proof, Step};

    const SOURCE: &str = "VOSS: We have a quorum tonight.\n\nTULL: Good evening. The plan lays 1.4 miles of paths. It was not my idea.\n\n\
                          The pond will be drained. The library gets a wing of 1.8 acres.";

    fn journal(body: &str) -> Journal {
        let mut opening = opening();
        opening.topic.source_text = SOURCE.into();
        let mut journal = Journal::new(opening);
        add(
            &mut journal,
            Step::Draft,
            Outcome::Draft(Draft { article: article(body), stripped: vec![], undone: vec![] }),
        );
        journal
    }

    fn texts(journal: &Journal, body: &str, words: &str) -> Vec<(String, String)> {
        let start = body.find(words).unwrap();
        let place = ("articleBody", start..start + words.len());
        let found = passages_of(journal, 1, &place);
        found.into_iter().map(|passage| (passage.heading, passage.text)).collect()
    }

    #[test]
    fn a_concern_about_one_figure_brings_what_the_sources_say_of_its_sentence() {
        let body = "The council met. The plan lays 1.8 miles of paths.";
        let mut journal = journal(body);
        let wanted = "TULL: Good evening. The plan lays 1.4 miles of paths. It was not my idea.";
        let found = texts(&journal, body, "1.8");
        assert_eq!(found[0], (String::new(), wanted.to_owned()));
        assert!(!found.iter().any(|(_, text)| text.contains("acres")), "{found:?}");
        // The same from what the ledger keeps.
        let sources = journal.sources();
        let DraftLedger { ledger, passages: kept, .. } =
            ledger_beside(&journal.draft(1).unwrap().article, &sources, &[], None, Gravity::Concern);
        let kept = KeptLedger { ledger, sources: kept, ..KeptLedger::default() };
        add(&mut journal, Step::Prove { round: 1 }, Outcome::Proof(Proof { findings: vec![], kept: Some(kept) }));
        assert_eq!(texts(&journal, body, "1.8"), found);
    }

    #[test]
    fn a_turn_holds_until_the_next_label_and_nothing_is_found_for_what_nobody_speaks_of() {
        let body = "The pond is to be drained. Giraffes xylophone quietly.";
        let journal = journal(body);
        assert_eq!(texts(&journal, body, "drained")[0].0, "TULL");
        assert_eq!(texts(&journal, body, "Giraffes"), []);
        assert_eq!(passages_of(&journal, 2, &("articleBody", 0..1)), [], "there is no such draft");
    }

    #[test]
    fn what_was_read_once_is_that_of_its_own_draft() {
        let (first, second) = ("The pond is to be drained.", "Tull has a quorum tonight. It was not his idea.");
        let mut journal = journal(first);
        let all = |journal: &Journal, round| passages_of(journal, round, &("articleBody", 0..200));
        let of_first = all(&journal, 1);
        assert!(!of_first.is_empty());
        let draft = Draft { article: article(second), stripped: vec![], undone: vec![] };
        add(&mut journal, Step::Revise { round: 1 }, Outcome::Draft(draft));
        let of_second = all(&journal, 2);
        assert!(of_second.len() > 1 && of_second != of_first);
        assert_eq!((all(&journal, 1), all(&journal, 2)), (of_first, of_second), "whoever asked before");
    }
}
