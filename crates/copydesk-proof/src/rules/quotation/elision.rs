//! Judges the omissions of a quotation: ellipses, brackets or late beginnings that drop a denial, and ellipses that join two sentences.
//!
//! Why: every word of such a quotation was said, and yet it can say the opposite. Only a person who reads both can decide, so an editor
//! sees it, and no program repairs it.

use crate::{
    reading::StreamMatch,
    rules::{
        prelude::*,
        quotation::pieces::{QuoteCut, QuotePieces, refuses},
    },
    words::{LexiconEntry, canonical, entries},
};
use compact_str::CompactString;
use copydesk_text::{tagger::Tag, words::stem as stem_of};

pub static RULE: Rule = Rule {
    name: "quotation.elision",
    kind: SpanKind::Quotation,
    standing: Standing::Elided,
    why: "The words left out may change what this quote says.",
    source: "An ellipsis may shorten a sentence. If it drops a “not” or joins two sentences, an editor must look.",
    measured: Some(Measured { right: 18, of: 18, on: "the quotation set" }),
    ..Rule::USUAL
};

/// Words that leave open what follows them.
static OPENING: WordList = words("if whether unless doubt doubts doubted doubtful wonder wonders wondered wondering");

/// Words for holding something to be true. `know` is not among them: a fact that a person does not know is true all the same.
static THINKING: WordList =
    words("think thinks thought believe believes believed say saying said sure certain convinced");

/// First words of an aside that limits what is said beside it.
static LIMITING: WordList = words("but though although except not nor never unless if only yet however or");

/// If brackets leave out fewer words than this, they stand for those words.
const REPLACED: usize = 8;

/// Words of speech that a writer may make exact.
static VAGUE: WordList =
    words("yesterday today tonight tomorrow thing things stuff one ones guy guys folks people kid kids");

/// Brackets may say what stands within so many words of them.
const AROUND: usize = 60;

/// The fault in the omissions of a quotation, if there is one.
pub fn fault(texts: &ProofTexts<'_>, pieces: &QuotePieces, passage: &StreamMatch) -> Option<String> {
    let reading = texts.archive.readings.get(passage.source)?;
    let inner = pieces.cuts.get(1..pieces.cuts.len().saturating_sub(1)).unwrap_or_default();
    let gaps = passage.parts.iter().zip(passage.parts.iter().skip(1)).map(|(one, two)| one.end..two.start);
    let between = gaps
        .zip(inner)
        .find_map(|(gap, cut)| dropped(reading, gap.clone(), cut).or_else(|| exchanged(texts, reading, gap, cut)));
    between.or_else(|| put_before(reading, pieces, passage))
}

/// The fault in the words between two pieces, if there is one.
fn dropped(reading: &ParsedText<'_>, gap: Range<usize>, cut: &QuoteCut) -> Option<String> {
    let words: Vec<&Token> = reading.tokens.get(gap.clone())?.iter().filter(|token| !token.aside()).collect();
    let (before, after) = (reading.tokens.get(gap.start.checked_sub(1)?)?, reading.tokens.get(gap.end)?);
    let denial = words.iter().find(|token| refuses(token));
    if let Some(denial) = denial.filter(|_| !cut.denies && !parenthetical(reading, before, after, &gap)) {
        let said = one_line(reading.slice(denial.start..denial.end));
        return Some(format!("The quote leaves out “{said}”. Without it, the quote may say the opposite."));
    }
    if denial.is_none() && cut.denies {
        return Some("The words in brackets add a denial that is not in the source.".to_owned());
    }
    let first = words.first().map_or(after.line, |token| token.line);
    let last = words.last().map_or(before.line, |token| token.line);
    // "It passed. [The council] voted": brackets stand for words of one of the two sentences.
    let replaced = !cut.leaves_out && words.len() <= REPLACED && (first == after.line || last == before.line);
    let joins = before.line != after.line && !replaced && (!words.is_empty() || cut.leaves_out);
    joins.then(|| "The ellipsis joins two sentences of the source. Check what stands between them.".to_owned())
}

/// The fault of brackets that say something else than the words they stand for. They may explain a pronoun, a name or a vague word, and
/// put a word into another form.
fn exchanged(texts: &ProofTexts<'_>, reading: &ParsedText<'_>, gap: Range<usize>, cut: &QuoteCut) -> Option<String> {
    let words = reading.tokens.get(gap.clone())?;
    let (first, last) = (words.first()?, words.last()?);
    let said = |token: &Token| {
        !token.stop
            && !token.capital
            && !token.aside()
            && !token.class.has(Class::NUMBER)
            && !VAGUE.contains(&token.word)
    };
    let own: Vec<(usize, &Token)> = gap.clone().zip(words).filter(|(_, token)| said(token)).collect();
    // "[That thing]" says nothing else.
    let vague = cut.stems.iter().any(|stem| VAGUE.contains(stem));
    if cut.leaves_out || cut.stems.is_empty() || vague || gap.len() > REPLACED || own.is_empty() {
        return None;
    }
    let grammar = reading.grammar(first.line);
    let tells = own.iter().any(|(at, _)| grammar.tag(*at).is_verb() || grammar.tag(*at) == Tag::Adjective);
    let around = reading.tokens.get(gap.start.saturating_sub(AROUND)..(gap.end + AROUND).min(reading.tokens.len()))?;
    let strange =
        |stem: &CompactString| !around.iter().any(|token| token.stem == *stem) && (tells || !texts.archive.knows(stem));
    // "[Went]" for "go", and "[plan]" for "scheme", are the same in another form.
    let mut synonyms = own.iter().flat_map(|(_, token)| entries(&token.word)).flat_map(LexiconEntry::like);
    let alike = synonyms.any(|word| cut.stems.iter().any(|stem| canonical(stem_of(word)) == stem.as_str()));
    (!alike && cut.stems.iter().all(strange)).then(|| {
        let said = one_line(reading.slice(first.start..last.end));
        format!("In the source, the words in brackets are “{said}”. The quote says something else.")
    })
}

/// Whether the part left out is an aside between commas, dashes or brackets. An aside denies nothing around it,
/// unless it begins with a limit: `, but not all of it,`.
fn parenthetical(reading: &ParsedText<'_>, before: &Token, after: &Token, gap: &Range<usize>) -> bool {
    let edge = |from: usize, to: usize| {
        reading.text.get(from..to).is_some_and(|text| text.contains([',', ';', '–', '—', '(', ')']))
    };
    let words = reading.tokens.get(gap.clone()).unwrap_or_default();
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return false };
    !LIMITING.contains(&first.word) && edge(before.end, first.start) && edge(last.end, after.start)
}

/// The fault of brackets at either end that deny something, if the source's sentence does not deny it.
fn put_before(reading: &ParsedText<'_>, pieces: &QuotePieces, passage: &StreamMatch) -> Option<String> {
    let line = |at: usize| reading.tokens.get(at).map_or(&[][..], |token| reading.line_tokens(token.line));
    let ends =
        [(pieces.cuts.first(), passage.whole().start), (pieces.cuts.last(), passage.whole().end.checked_sub(1)?)];
    ends.into_iter()
        .any(|(cut, at)| cut.is_some_and(|cut| cut.denies) && !line(at).iter().any(refuses))
        .then(|| "The words in brackets add a denial that is not in the source.".to_owned())
}

/// The fault in the beginning of a quotation: in the source, words right before it deny it or leave it open, and the draft does not say so.
pub fn begun_late(reading: &ParsedText<'_>, at: usize, draft: &ParsedText<'_>, range: &Range<usize>) -> Option<String> {
    let lead = lead(reading, at)?;
    let own = draft.line_tokens(draft.line_at(range.start)).iter();
    let told = own
        .filter(|token| !range.contains(&token.start))
        .any(|token| refuses(token) || opens(token) || token.word.starts_with("un") || token.word.starts_with("den"));
    (!told).then(|| {
        let said = one_line(reading.slice(lead));
        format!("In the source, “{said}” comes right before these words. The draft leaves it out.")
    })
}

/// The words right before a word that deny what follows or leave it open, as bytes: `not`, `if`, `I doubt that`, `not
/// sure`.
fn lead(reading: &ParsedText<'_>, first: usize) -> Option<Range<usize>> {
    // The word before another in the same sentence and voice, if no punctuation stands between.
    let before = |at: usize| {
        let (earlier, token) = (reading.tokens.get(at.checked_sub(1)?)?, reading.tokens.get(at)?);
        let gap = reading.text.get(earlier.end..token.start)?;
        let beside = earlier.line == token.line && earlier.manner == token.manner && gap.trim().is_empty();
        beside.then_some((at - 1, earlier))
    };
    let (mut at, mut last) = before(first)?;
    let end = last.end;
    if last.word == "that" {
        (at, last) = before(at)?;
    }
    // "Not for this one no we are not saving the glacier": a transcript without points.
    let subject = reading.tokens.get(first).is_some_and(|token| SUBJECTS.contains(&token.word));
    if last.word == "no" && subject {
        return None;
    }
    if refuses(last) || opens(last) {
        // In "don't know if" and "not sure whether", the denial belongs to it.
        let thought = before(at).filter(|(_, token)| thinks(token) || token.word == "know");
        let denial = thought.and_then(|(at, _)| before(at)).filter(|(_, token)| refuses(token));
        return Some(denial.map_or(last.start, |(_, token)| token.start)..end);
    }
    // "I don't think (that)", "nobody is sure": the denial says that a person does not believe the words after it.
    let (_, denial) = before(at).filter(|_| thinks(last))?;
    refuses(denial).then_some(denial.start..end)
}

/// Words that begin a sentence of their own behind a "no".
static SUBJECTS: WordList = words("i we you he she it they there that this these those");

/// Whether a word leaves open what follows it.
fn opens(token: &Token) -> bool {
    OPENING.contains(&token.word)
}

/// Whether a word says that a person holds the words after it to be true.
fn thinks(token: &Token) -> bool {
    THINKING.contains(&token.word)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

    const SOURCE: &str = "Inez Calloway spoke. “I have not once got to the pond, and the gate, which nobody oils, is stuck,” she \
                          said. “The town will pay for it. They will not pay for the bench.”";

    fn notes(quotation: &str) -> Vec<(String, String, Option<String>)> {
        let found = check_texts(&format!("“{quotation},” Calloway said."), SOURCE);
        found.into_iter().map(|f| (f.rule, f.note, f.replacement)).collect()
    }

    fn flagged(note: &str) -> Vec<(String, String, Option<String>)> {
        vec![("quotation.elision".to_owned(), note.to_owned(), None)]
    }

    #[test]
    fn an_ellipsis_or_brackets_that_drop_a_denial_are_for_an_editor() {
        let dropped = "The quote leaves out “not”. Without it, the quote may say the opposite.";
        assert_eq!(notes("I have … once got to the pond"), flagged(dropped));
        assert_eq!(notes("I have [often] got to the pond"), flagged(dropped));
        assert_eq!(notes("They will ... pay for the bench"), flagged(dropped));
        assert_eq!(notes("I have [never] got to the pond"), []);
        assert_eq!(notes("I have not … got to the pond"), []);
        assert_eq!(notes("I have not once got … the gate … is stuck"), []);
        assert_eq!(notes("the gate … is stuck"), []);
    }

    #[test]
    fn brackets_explain_and_exchange_nothing() {
        for fine in [
            "I have not once [gotten] to the pond",
            "The [council] will pay for it",
            "The town will [have to] pay for it",
        ] {
            assert_eq!(notes(fine), [], "{fine}");
        }
        let exchanged = "In the source, the words in brackets are “pay for”. The quote says something else.";
        assert_eq!(notes("The town will [demolish] it"), flagged(exchanged));
        assert_eq!(notes("The town will [redacted] it"), []);
    }

    #[test]
    fn what_limits_the_words_before_it_is_no_aside() {
        let limited = |quotation: &str, aside: &str| {
            let source = format!(
                "Calloway spoke. “It can wait until morning, {aside}, and I never want anybody to guess,” she said."
            );
            check_texts(&format!("“{quotation},” Calloway said."), &source)
                .into_iter()
                .map(|f| f.rule)
                .collect::<Vec<_>>()
        };
        for mark in ["…", "...", "[…]", "[...]"] {
            let quotation = format!("It can wait until morning {mark} and I never want anybody to guess");
            for aside in ["but not all of it", "not the roof", "though nobody likes it"] {
                assert_eq!(limited(&quotation, aside), ["quotation.elision"], "{mark} {aside}");
            }
            for aside in ["which nobody likes", "but for the roof"] {
                assert_eq!(limited(&quotation, aside), [""; 0], "{mark} {aside}");
            }
        }
    }

    #[test]
    fn brackets_that_put_in_a_denial_are_for_an_editor() {
        let put = "The words in brackets add a denial that is not in the source.";
        assert_eq!(notes("The town will [not] pay for it"), flagged(put));
        assert_eq!(notes("[Never] the town will pay for it"), flagged(put));
        assert_eq!(notes("[I fear] the town will pay for it"), []);
    }

    #[test]
    fn an_ellipsis_that_joins_two_sentences_is_for_an_editor() {
        let joined = "The ellipsis joins two sentences of the source. Check what stands between them.";
        assert_eq!(notes("The town will pay … for the bench").len(), 1);
        assert_eq!(notes("The gate … is stuck … They will not pay"), flagged(joined));
        assert_eq!(notes("The town will pay for it. [The others] will not pay"), []);
        assert_eq!(notes("The town will pay for it. They will not pay"), []);
    }

    #[test]
    fn a_quotation_that_begins_behind_a_denial_keeps_it() {
        let found = |draft: &str| check_texts(draft, SOURCE).into_iter().map(|f| f.rule).collect::<Vec<_>>();
        assert_eq!(found("Calloway “once got to the pond,” she said."), ["quotation.elision"]);
        assert_eq!(found("Calloway has never “once got to the pond,” she said."), [""; 0]);
        assert_eq!(found("Calloway says she has “not once got to the pond.”"), [""; 0]);
    }

    #[test]
    fn a_quotation_that_begins_behind_what_leaves_it_open_keeps_it() {
        let late = |said: &str, draft: &str| {
            let source =
                format!("Inez Calloway spoke. “{said} the pump is broken and nobody is there to mend it,” she said.");
            let found = check_texts(draft, &source).into_iter().filter(|found| found.rule == super::RULE.name);
            found.map(|found| found.note).collect::<Vec<_>>()
        };
        let bare = "“The pump is broken and nobody is there to mend it,” Calloway said.";
        for (said, lead) in [
            ("I don’t know if", "don’t know if"),
            ("We wondered whether", "whether"),
            ("I am not sure that", "not sure that"),
            ("I doubt that", "doubt that"),
            ("I doubt", "doubt"),
            ("I don’t think", "don’t think"),
            ("Nobody said that", "Nobody said that"),
            ("We will come if", "if"),
        ] {
            let note = format!("In the source, “{lead}” comes right before these words. The draft leaves it out.");
            assert_eq!(late(said, bare), [note], "{said}");
        }
        for said in [
            "I know that",
            "I think",
            "They did not know that",
            "It is not the gate;",
            "It is not the gate that",
            "",
            "Not that I know,",
        ] {
            assert_eq!(late(said, bare), [""; 0], "{said}");
        }
        for told in [
            "Calloway does not know if “the pump is broken and nobody is there to mend it.”",
            "Calloway doubts that “the pump is broken and nobody is there to mend it.”",
            "Asked whether “the pump is broken,” Calloway said nothing.",
        ] {
            assert_eq!(late("I don’t know if", told), [""; 0], "{told}");
        }
    }
}
