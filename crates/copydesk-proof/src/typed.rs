//! The proof of a draft while it is typed. The sources are read once. After a key, only the sentences that changed are proved; the
//! findings in the others stay until their turn comes, because a sentence can change what another one means.

use std::{ops::Range, rc::Rc};

use crate::{
    ledger::LedgerWriter,
    passages,
    reading::{ParsedText, StreamMatch, cells::raw_lines},
    registry::run,
    rule::Gravity,
    sources::{ProofTexts, SourceLine, SourceTexts, content, foreign_language},
};
use copydesk_newsroom::{ArticleResponse, Finding, LedgerRow, SentenceSources, Source, SourcePlace};

/// Most places of words in the sources that are looked at.
const MOST_PLACES: usize = 64;

/// A long draft is proved in so many stretches at most.
const MOST_STRETCHES: usize = 32;

/// The sources of a story, read for all that is typed.
pub struct ReadSources<'a> {
    read: Rc<SourceTexts<'a>>,
    foreign: bool,
}

/// The findings in a stretch of a draft, and the passages of its sentences.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Found {
    findings: Vec<Finding>,
    sentences: Vec<SentenceSources>,
}

/// The proof of a draft, as far as it has come.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TypedProof {
    article: Option<Box<ArticleResponse>>,
    found: Found,
    /// The paragraphs whose turn is still to come, the next one last: field and bytes.
    due: Vec<(usize, Range<usize>)>,
}

impl<'a> ReadSources<'a> {
    #[must_use]
    pub fn new(sources: &'a [Source]) -> Self {
        let foreign = foreign_language(&ArticleResponse::default(), sources).is_some();
        Self { read: Rc::new(SourceTexts::new(sources)), foreign }
    }

    /// Takes in what was typed: proves the sentences that changed, and puts every paragraph on the list of what is due.
    pub fn typed(&self, proof: &mut TypedProof, article: &ArticleResponse) {
        self.read.begin_text();
        let mut texts = ProofTexts::beside(article, Rc::clone(&self.read), self.foreign);
        let before = proof.article.replace(Box::new(article.clone()));
        proof.due = texts
            .fields
            .iter()
            .flat_map(|field| raw_lines(field.reading.text).map(move |(at, row)| (field.at, at..at + row.len())))
            .collect();
        proof.due.reverse();
        let Some(before) = before else { return };
        let old = before.fields();
        for at in 0..texts.fields.len() {
            let (Some(field), Some((name, old))) = (texts.fields.get(at), old.get(at)) else { continue };
            let Some(change) = ChangedStretch::between(old, field.reading.text) else { continue };
            let reading = &field.reading;
            let touched = |start: usize, end: usize| start <= change.new.end && change.new.start <= end;
            let lines = reading.lines.iter().filter(|line| touched(line.start, line.end));
            // A quotation is proved as a whole, at its beginning.
            let quoted = reading.quotations.iter().filter(|quotation| touched(quotation.start, quotation.end));
            let all: Vec<Range<usize>> = lines
                .map(|line| line.start..line.end)
                .chain(quoted.map(|quotation| quotation.start..quotation.start))
                .collect();
            let start = all.iter().map(|range| range.start).min().unwrap_or(change.new.start);
            let end = all.iter().map(|range| range.end).max().unwrap_or(change.new.end);
            proof.found.shift(name, &change);
            let found = prove(&mut texts, at, start..end.max(start + 1));
            proof.found.put(name, start..end.max(start + 1), found);
        }
    }

    /// Proves the paragraphs that are due, until none is or `stops` says so. It is asked after about every `bytes` of them; of a
    /// long draft after a share. Each stretch takes a look at the whole draft.
    pub fn go_on(&self, proof: &mut TypedProof, bytes: usize, mut stops: impl FnMut() -> bool) {
        let Some(article) = proof.article.clone() else { return };
        let mut texts = ProofTexts::beside(&article, Rc::clone(&self.read), self.foreign);
        let whole: usize = article.fields().iter().map(|(_, text)| text.len()).sum();
        let least = bytes.max(whole / MOST_STRETCHES);
        while let Some((at, mut within)) = proof.due.pop() {
            while within.len() < least
                && let Some((_, next)) = proof.due.pop_if(|(field, next)| *field == at && next.start == within.end)
            {
                within.end = next.end;
            }
            let Some(name) = texts.fields.get(at).map(|field| field.name) else { continue };
            let found = prove(&mut texts, at, within.clone());
            proof.found.put(name, within, found);
            if stops() {
                return;
            }
        }
    }

    /// The sentences of the sources that have a figure of `words`. Without a figure, those that have the words, or as many of the last ones
    /// as stand together in a source. At most `most`, those first that share most with `sentence`.
    #[must_use]
    pub fn having(&self, words: &str, sentence: &str, most: usize) -> Vec<SourcePlace> {
        let SourceTexts { archive, stream, .. } = &*self.read;
        let asked = ParsedText::new(words);
        let mut lines: Vec<SourceLine> =
            asked.figures.iter().flat_map(|figure| archive.equal(figure)).map(|(line, _)| line).collect();
        if asked.figures.is_empty() {
            let needle: Vec<u32> = asked.tokens.iter().map(|token| stream.look_up(&token.word)).collect();
            let ends = (0..needle.len()).filter_map(|from| needle.get(from..));
            let mut found = ends.map(|end| stream.find(&[end.to_vec()], MOST_PLACES)).filter(|found| !found.is_empty());
            let place = |found: StreamMatch| {
                let first = archive.readings.get(found.source)?.tokens.get(found.whole().start)?;
                Some(SourceLine { source: found.source, line: first.line })
            };
            lines = found.next().unwrap_or_default().into_iter().filter_map(place).collect();
        }
        lines.sort_unstable();
        lines.dedup();
        let about = ParsedText::new(sentence);
        let stems = content(&about.tokens);
        let shared =
            |line: &SourceLine| content(archive.tokens(*line)).iter().filter(|stem| stems.contains(stem)).count();
        lines.sort_by_cached_key(|line| std::cmp::Reverse(shared(line)));
        let place = |at: &SourceLine| archive.line(*at).map(|line| SourcePlace::new(at.source, line.start..line.end));
        lines.iter().take(most).filter_map(place).collect()
    }
}

impl TypedProof {
    /// The findings so far, in the order of the draft.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.found.findings
    }

    /// The passages of each sentence, best first, so far.
    #[must_use]
    pub fn sentences(&self) -> &[SentenceSources] {
        &self.found.sentences
    }

    /// Whether a text was typed that is not proved yet.
    #[must_use]
    pub fn is_due(&self) -> bool {
        !self.due.is_empty()
    }
}

/// The findings of the rules in some bytes of a field.
fn prove(texts: &mut ProofTexts<'_>, field: usize, within: Range<usize>) -> Found {
    let starts = |row: &LedgerRow| within.contains(&row.start);
    let name = texts.fields.get(field).map_or("", |field| field.name);
    texts.keep_to(field, within.clone());
    let mut ledger = LedgerWriter::new(texts, false, Gravity::Concern);
    run(&mut ledger);
    let sentences = passages::of_ledger(&ledger);
    let rows = ledger.close().rows.into_iter().filter(|row| row.field == name && starts(row));
    Found { findings: rows.filter_map(LedgerRow::finding).collect(), sentences }
}

/// The one stretch in which two texts differ.
pub struct ChangedStretch {
    pub old: Range<usize>,
    pub new: Range<usize>,
}

impl ChangedStretch {
    /// None if they are the same.
    #[must_use]
    pub fn between(old: &str, new: &str) -> Option<Self> {
        if old == new {
            return None;
        }
        let same = |(one, other): &(char, char)| one == other;
        let head: usize = old.chars().zip(new.chars()).take_while(same).map(|(one, _)| one.len_utf8()).sum();
        let (old_rest, new_rest) = (old.get(head..).unwrap_or_default(), new.get(head..).unwrap_or_default());
        let back = old_rest.chars().rev().zip(new_rest.chars().rev());
        let tail: usize = back.take_while(same).map(|(one, _)| one.len_utf8()).sum();
        Some(Self { old: head..old.len() - tail, new: head..new.len() - tail })
    }

    /// Where bytes of the old text are in the new one; none if they were changed.
    #[must_use]
    pub fn moved(&self, start: usize, end: usize) -> Option<(usize, usize)> {
        if end <= self.old.start {
            return Some((start, end));
        }
        let on = |at: usize| at.checked_sub(self.old.end).map(|past| self.new.end + past);
        Some((on(start)?, on(end)?))
    }
}

impl Found {
    /// Findings outside a change stay, at their new places.
    fn shift(&mut self, field: &str, change: &ChangedStretch) {
        let stays = |own: &str, start: &mut usize, end: &mut usize| {
            let moved = if own == field { change.moved(*start, *end) } else { Some((*start, *end)) };
            (*start, *end) = moved.unwrap_or_default();
            moved.is_some()
        };
        self.findings.retain_mut(|of| stays(&of.field, &mut of.start, &mut of.end));
        self.sentences.retain_mut(|of| stays(&of.field, &mut of.start, &mut of.end));
    }

    /// Puts what was found in a stretch in place of what had been found there.
    fn put(&mut self, field: &str, within: Range<usize>, found: Self) {
        const ORDER: [&str; 4] = ["headline", "alternativeHeadline", "description", "articleBody"];
        self.findings.retain(|finding| finding.field != field || !within.contains(&finding.start));
        self.sentences.retain(|sentence| sentence.field != field || !within.contains(&sentence.start));
        self.findings.extend(found.findings);
        self.sentences.extend(found.sentences);
        let place = |field: &str| ORDER.iter().position(|name| *name == field);
        self.findings.sort_by_key(|finding| (place(&finding.field), finding.start));
        self.sentences.sort_by_key(|sentence| (place(&sentence.field), sentence.start));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{check, testing::texts};

    const NOTES: &str = "Inez Calloway spoke. \"I can get to the gate,\" she said. \"In eleven years I have not once got to the \
                         pond.\"\n\nThe council voted on Tuesday to spend $1.8 million on the park, which opened in 1958.";
    const BODY: &str = "The council voted on Tuesday to spend $1.8 million on the park.\n\n“I can get to the gate,” Inez Calloway \
                        said. “In eleven years I have not once got to the pond.”\n\nThe park opened in 1958.";

    fn body(text: &str) -> ArticleResponse {
        texts(text, NOTES).0
    }

    #[test]
    fn a_changed_sentence_is_proved_and_the_others_keep_their_findings() {
        let sources = texts("", NOTES).1;
        let read = ReadSources::new(&sources);
        let mut proof = TypedProof::default();
        let mut typed = |text: &str, all: bool| {
            read.typed(&mut proof, &body(text));
            while all && proof.is_due() {
                // Stopped after each paragraph, it goes on where it was.
                read.go_on(&mut proof, 1, || true);
            }
            proof.findings().iter().map(|finding| (finding.text.clone(), finding.start)).collect::<Vec<_>>()
        };
        assert_eq!(typed(BODY, true), []);
        let wrong = BODY.replace("1958", "1985");
        let year = wrong.find("1985").unwrap();
        assert_eq!(typed(&wrong, false), [("1985".to_owned(), year)]);
        // An edit before the finding moves it.
        let longer = wrong.replace("The council", "On the park, the council").replace("$1.8", "$2.8");
        let sum = longer.find("$2.8 million").unwrap();
        assert_eq!(typed(&longer, false), [("$2.8 million".to_owned(), sum), ("1985".to_owned(), year + 13)]);
        let whole = check(&body(&longer), &sources);
        assert_eq!(typed(&longer, true).len(), whole.len(), "the rest is proved in its turn");
        assert_eq!(typed(BODY, false), []);
        assert_eq!(typed("", true), [], "everything is deleted");
    }

    #[test]
    fn a_day_of_typing_ends_with_the_findings_of_its_first_minute() {
        let sources = texts("", NOTES).1;
        let read = ReadSources::new(&sources);
        let mut proof = TypedProof::default();
        let letters = || ('A'..='Z').flat_map(|one| ('A'..='Z').map(move |two| (one, two)));
        for (one, two) in letters().step_by(3) {
            let wrong = format!("{one}{}mble of the {one}Q{two} spoke.", two.to_ascii_lowercase());
            read.typed(&mut proof, &body(&wrong));
            while proof.is_due() {
                read.go_on(&mut proof, 1, || true);
            }
            let whole = check(&body(&wrong), &sources);
            assert!(!whole.is_empty() && proof.findings() == whole, "{wrong}: {:?}", proof.findings());
        }
    }

    #[test]
    fn the_sentences_with_a_figure_or_a_name_are_found_by_what_they_share() {
        let notes = "The library cost $2.8 million in 1990.\n\nTwo point eight million dollars, $2,800,000, went to the park.\n\n\
                     Inez Calloway spoke. The pond was drained for Calloway.";
        let sources = texts("", notes).1;
        let read = ReadSources::new(&sources);
        let said = |words: &str, sentence: &str, most| -> Vec<&str> {
            read.having(words, sentence, most).iter().map(|at| notes.get(at.start..at.end).unwrap()).collect()
        };
        let (library, park) = (
            "The library cost $2.8 million in 1990.",
            "Two point eight million dollars, $2,800,000, went to the park.",
        );
        assert_eq!(said("$2.8 million", "The dollars went to the park.", 3), [park, library]);
        assert_eq!(said("$2.8 million", "The library got $2.8 million.", 1), [library]);
        assert_eq!(said("Inez Calloway", "", 3), ["Inez Calloway spoke."]);
        assert_eq!(said("Ines Calloway", "Who drained the pond?", 1), ["The pond was drained for Calloway."]);
        assert_eq!((said("$9", "", 3), said("Tull", "", 3), said("", "", 3)), (vec![], vec![], vec![]));
    }

    #[test]
    fn a_quotation_is_proved_from_where_it_begins() {
        let sources = texts("", NOTES).1;
        let read = ReadSources::new(&sources);
        let mut proof = TypedProof::default();
        read.typed(&mut proof, &body(BODY));
        read.go_on(&mut proof, 1, || false);
        let altered = BODY.replace("got to the pond.”", "walked to the pond.”");
        read.typed(&mut proof, &body(&altered));
        assert_eq!(proof.findings(), check(&body(&altered), &sources));
    }
}
