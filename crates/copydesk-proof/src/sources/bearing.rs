//! Finds the passage of the sources that an editor wants to see beside a concern.
//!
//! There are three ways, from the surest to the weakest: the passage that the proof names, the words that the verdict
//! quotes, and the sentence on the same topic. It decides nothing. If no passage fits, it says so.

use std::ops::Range;

use foldhash::HashMap;

use crate::{
    reading::{Figure, Forms, ParsedText, Stream, Token},
    sources::{content, index::WordIndex},
};
use copydesk_newsroom::{Concern, Journal};
use copydesk_text::marks::quotations;

/// Fewer words than this between quotation marks are a term.
const FEWEST: usize = 2;

/// The weight of a figure or a name, relative to a common word that is as rare.
const FIGURE: f64 = 2.0;
const NAME: f64 = 1.5;

/// A sentence must share at least this part of an excerpt's content.
const LEAST: f64 = 0.2;

/// At most so many bytes of a verdict are read.
const MOST: usize = 16_384;

/// Why a passage is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ground {
    /// The proof compared the draft with it.
    Proof,
    /// The verdict, or the reviewer's note, quotes it.
    Quoted,
    /// It has the same topic.
    Likeness,
}

/// The passage for a concern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bearing {
    /// The source's index in `Opening::sources`.
    pub source: usize,
    /// Bytes of its text.
    pub range: Range<usize>,
    pub ground: Ground,
}

/// The sources of a story, read once. It keeps none of their text.
pub struct Witnesses {
    stream: Stream,
    forms: Forms,
    /// The bytes of each word, for each source.
    words: Vec<Vec<Range<usize>>>,
    /// Each sentence of all sources.
    lines: Vec<(usize, Range<usize>)>,
    index: WordIndex,
    figures: HashMap<i64, Vec<(usize, Figure)>>,
}

impl std::fmt::Debug for Witnesses {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Witnesses")
            .field("sources", &self.words.len())
            .field("lines", &self.lines.len())
            .finish_non_exhaustive()
    }
}

impl Witnesses {
    /// Reads the sources of a run. A megabyte takes a good part of a second, so the thread that draws must not call
    /// this.
    #[must_use]
    pub fn new(journal: &Journal) -> Self {
        let mut forms = Forms::default();
        let readings: Vec<_> = journal.texts().map(|(_, text)| ParsedText::read(text, &mut forms)).collect();
        let mut lines = Vec::new();
        let mut figures: HashMap<i64, Vec<(usize, Figure)>> = HashMap::default();
        for (source, reading) in readings.iter().enumerate() {
            for figure in &reading.figures {
                let line = lines.len() + reading.line_of(&figure.tokens);
                for key in figure.keys() {
                    figures.entry(key).or_default().push((line, figure.clone()));
                }
            }
            lines.extend(reading.lines.iter().map(|line| (source, line.start..line.end)));
        }
        let bytes = |token: &Token| token.start..token.end;
        let words = readings.iter().map(|reading| reading.tokens.iter().map(bytes).collect()).collect();
        let (stream, index) = (Stream::new(&readings, &forms), WordIndex::of(&readings));
        Self { stream, forms, words, lines, index, figures }
    }

    /// The passage for a concern of `round`. `journal` is the one whose sources were read.
    #[must_use]
    pub fn passage_for(&self, journal: &Journal, round: u32, concern: u32) -> Option<Bearing> {
        let concerns = &journal.concerns(round)?.concerns;
        let index = concerns.iter().position(|candidate| candidate.concern_id == concern)?;
        let asked = concerns.get(index)?;
        proved(journal, round, index, concerns.len())
            .or_else(|| self.quoted(journal, round, asked))
            .or_else(|| self.alike(&asked.excerpt))
            .or_else(|| self.alike(&asked.review_note))
    }

    /// The evidence of the verdict as a whole; else the longest quotation of the verdict, or of the reviewer's note. A source has it word for
    /// word.
    fn quoted(&self, journal: &Journal, round: u32, asked: &Concern) -> Option<Bearing> {
        let verdict = journal.verdict(round, asked.concern_id);
        let evidence = verdict.and_then(|verdict| verdict.evidence.as_ref());
        // The reader of a verdict looks for the evidence that its page shows.
        if let Some(found) = evidence.and_then(|evidence| self.verbatim(bounded(evidence))) {
            return Some(found);
        }
        let said = verdict.into_iter().flat_map(|verdict| [Some(&verdict.rationale), verdict.evidence.as_ref()]);
        // The note quotes the draft first, not a source.
        let note = asked.review_note.replacen(&asked.excerpt, "", 1);
        said.flatten().chain([&note]).find_map(|text| {
            let text = bounded(text);
            let mut quoted: Vec<&str> = quotations(text).iter().filter_map(|q| text.get(q.start..q.end)).collect();
            quoted.sort_by_key(|words| std::cmp::Reverse(words.len()));
            quoted.into_iter().find_map(|words| self.verbatim(words))
        })
    }

    fn verbatim(&self, words: &str) -> Option<Bearing> {
        let wanted = ParsedText::new(words);
        if wanted.tokens.len() < FEWEST {
            return None;
        }
        let needle: Vec<u32> = wanted.tokens.iter().map(|token| self.stream.look_up(&token.word)).collect();
        let found = self.stream.find(&[needle], 1).into_iter().next()?;
        let (words, range) = (self.words.get(found.source)?, found.whole());
        let (first, last) = (words.get(range.start)?, words.get(range.end.checked_sub(1)?)?);
        Some(Bearing { source: found.source, range: first.start..last.end, ground: Ground::Quoted })
    }

    /// The sentence that shares most words, figures and names with `text`; rare ones count more. Of several, the
    /// first.
    fn alike(&self, text: &str) -> Option<Bearing> {
        let wanted = ParsedText::new(bounded(text));
        let mut scores: Vec<f64> = vec![0.0; self.lines.len()];
        let mut total = 0.0;
        for stem in content(&wanted.tokens) {
            let own = wanted.tokens.iter().find(|token| token.stem == stem);
            let places = self.forms.stem(stem).map_or(&[][..], |stem| self.index.having(stem));
            let weight = self.index.weight(places.len()) * own.map_or(1.0, |token| factor(token, &wanted));
            total += weight;
            add(&mut scores, places.iter().map(|line| *line as usize), weight);
        }
        for figure in &wanted.figures {
            // The same in other digits or in words: 2.48 million is $2,480,000.
            let near = figure.keys().into_iter().filter_map(|key| self.figures.get(&key)).flatten();
            let equal = near.filter(|(_, theirs)| figure.same(theirs));
            let mut places: Vec<usize> = equal.map(|(line, _)| *line).collect();
            places.sort_unstable();
            places.dedup();
            let weight = self.index.weight(places.len()) * FIGURE;
            total += weight;
            add(&mut scores, places.into_iter(), weight);
        }
        let (line, most) = scores.into_iter().enumerate().rev().max_by(|one, other| one.1.total_cmp(&other.1))?;
        if total <= 0.0 || most / total < LEAST {
            return None;
        }
        let (source, range) = self.lines.get(line)?.clone();
        Some(Bearing { source, range, ground: Ground::Likeness })
    }
}

fn add(scores: &mut [f64], places: impl Iterator<Item = usize>, weight: f64) {
    for place in places {
        if let Some(score) = scores.get_mut(place) {
            *score += weight;
        }
    }
}

/// Names weigh more than words. A capital at the start of a sentence makes no name.
fn factor(token: &Token, reading: &ParsedText<'_>) -> f64 {
    let opens = reading.lines.get(token.line).is_some_and(|line| line.start == token.start);
    if token.stem.starts_with(|c: char| c.is_ascii_digit()) {
        FIGURE
    } else if token.capital && !opens {
        NAME
    } else {
        1.0
    }
}

/// The passage that the proof names, if the source still has it.
fn proved(journal: &Journal, round: u32, index: usize, concerns: usize) -> Option<Bearing> {
    let findings = &journal.review(round)?.findings;
    // The proof's bullets come last, one each.
    let before = concerns.checked_sub(findings.len())?;
    let span = findings.get(index.checked_sub(before)?)?.passage.as_ref()?;
    let source = journal
        .texts()
        .position(|(name, text)| name == span.source && text.get(span.start..span.end) == Some(span.text.as_str()))?;
    Some(Bearing { source, range: span.start..span.end, ground: Ground::Proof })
}

/// The beginning of a text that is longer than anybody writes.
fn bounded(text: &str) -> &str {
    text.get(..text.floor_char_boundary(MOST)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use copydesk_newsroom::testing::{add, add_round, opening, verdict};
    use copydesk_newsroom::{
        ArticleReviewResult, ConcernType, Finding, Outcome, Review, Source, SourceSpan, Specialist, Status, Step,
    };

    const OWN: &str = "VOSS: We have a quorum tonight. The plan costs $2,480,000, and Miller Park closes in May.\n\nTULL: I \
                       would not call it a party.";
    const LETTER: &str = "The pond will be drained. Nobody has asked Inez Calloway about the gate on Canal Road.";

    fn journal(excerpt: &str, rationale: &str) -> Journal {
        let mut opening = opening();
        opening.topic.source_text = OWN.into();
        opening.more_sources = vec![Source { name: "letter.txt".into(), text: LETTER.into() }];
        let mut journal = Journal::new(opening);
        add_round(&mut journal, 1, &[Specialist::Opinion]);
        let concern =
            Concern { concern_id: 1, excerpt: excerpt.into(), review_note: format!("“{excerpt}” is too much.") };
        let concerns = ArticleReviewResult { concerns: vec![concern] };
        add(&mut journal, Step::Parse { round: 1 }, Outcome::Concerns(concerns));
        let mut given = verdict(1, Status::Rewrite, Some("fix"));
        given.rationale = rationale.into();
        add(&mut journal, Step::Judge { round: 1, concern: 1 }, Outcome::Verdict(given));
        journal
    }

    fn shown(journal: &Journal) -> Option<(usize, &str, Ground)> {
        let found = Witnesses::new(journal).passage_for(journal, 1, 1)?;
        let text = if found.source == 0 { OWN } else { LETTER };
        Some((found.source, &text[found.range], found.ground))
    }

    #[test]
    fn the_sentence_that_speaks_of_the_same_things_is_shown() {
        let journal = journal("Renovating the park will cost 2.48 million dollars", "It is not said so.");
        let sentence = "The plan costs $2,480,000, and Miller Park closes in May.";
        assert_eq!(shown(&journal), Some((0, sentence, Ground::Likeness)));
        let other = self::journal("Calloway was asked about a gate", "No.");
        let sentence = "Nobody has asked Inez Calloway about the gate on Canal Road.";
        assert_eq!(shown(&other), Some((1, sentence, Ground::Likeness)));
    }

    #[test]
    fn what_the_verdict_quotes_comes_before_what_is_alike() {
        let journal =
            journal("The park will cost 2.48 million", "The letter says only “the pond will be DRAINED”, no sum.");
        assert_eq!(shown(&journal), Some((1, "The pond will be drained", Ground::Quoted)));
        let invented = self::journal("The park will cost 2.48 million", "It says “two dogs were drained there”.");
        assert_eq!(shown(&invented).map(|(.., ground)| ground), Some(Ground::Likeness));
    }

    #[test]
    fn the_evidence_of_the_verdict_is_the_passage_that_the_source_shows() {
        let mut journal = journal("Nobody has asked Inez Calloway about the gate", "The plan says otherwise.");
        let mut given = verdict(1, Status::Rewrite, Some("fix"));
        given.evidence = Some("I would not call it a party.".into());
        add(&mut journal, Step::Judge { round: 1, concern: 1 }, Outcome::Verdict(given));
        assert_eq!(shown(&journal), Some((0, "I would not call it a party", Ground::Quoted)));
    }

    #[test]
    fn what_the_proof_points_to_comes_first() {
        let mut journal = journal("x", "It says “the pond will be drained”.");
        let at = OWN.find("I would").unwrap();
        let text = "I would not call it a party.";
        let span = SourceSpan { source: "Minutes".into(), start: at, end: at + text.len(), text: text.into() };
        let finding = Finding {
            concern_type: ConcernType::UnsupportedFact,
            rule: "quotation.altered".into(),
            field: "headline".into(),
            start: 0,
            end: 1,
            text: "H".into(),
            note: String::new(),
            blocks: false,
            passage: Some(span),
            replacement: None,
        };
        let raw = journal.review(1).unwrap().raw.clone();
        add(&mut journal, Step::Review { round: 1 }, Outcome::Review(Review::new(raw, vec![finding])));
        assert_eq!(shown(&journal), Some((0, text, Ground::Proof)));
    }

    #[test]
    fn nothing_bears_on_what_no_source_speaks_of() {
        assert_eq!(shown(&journal("Bananas ripen faster near apples", "Not in any source.")), None);
        assert_eq!(shown(&journal("", "")), None);
        let journal = journal("x", "y");
        assert_eq!(Witnesses::new(&journal).passage_for(&journal, 1, 7), None);
    }

    proptest! {
        #[test]
        fn a_passage_is_always_in_its_source(source in "([A-Z]?[a-z]{1,6}|[0-9]{1,4}|[ .“”\n]|\\PC){0,60}", excerpt in "([a-z]{1,6}|[0-9]{1,4}| |\\PC){0,20}") {
            let mut journal = journal(&excerpt, "It says “the pond will be drained”.");
            journal.opening.topic.source_text = source.clone();
            journal.opening.more_sources.clear();
            if let Some(found) = Witnesses::new(&journal).passage_for(&journal, 1, 1) {
                prop_assert!(source.get(found.range).is_some());
            }
        }
    }
}
