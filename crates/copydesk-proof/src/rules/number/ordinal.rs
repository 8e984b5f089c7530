//! A wrong ordinal: the 22nd meeting that was the 21st, the fourth budget in a row that was the third.
//!
//! Why: ordinals are counts, too, and are copied with less care. An ordinal counts the noun after it. It is wrong if
//! a sentence of the sources on the same topic has another ordinal before this noun, and no sentence has this one.

use std::ops::Range;

use crate::{
    rules::prelude::*,
    sources::{common, of_line},
    words::calendar::small_ordinal,
};
use copydesk_text::words::{NumberWord, number_word};

pub static RULE: Rule = Rule {
    name: "number.ordinal",
    kind: SpanKind::Number,
    standing: Standing::Contradicted,
    concern_type: ConcernType::InferredFact,
    gravity: Gravity::Concern,
    why: "The source counts differently here.",
    source: "An ordinal counts the noun behind it.",
    measured: Some(Measured { right: 42, of: 56, on: SUMMARIES }),
};

/// Two sentences have the same topic if they share so many words, the noun included.
const SHARED: usize = 3;

/// The noun stands at most so many words after its ordinal.
const BEHIND: usize = 3;

/// An ordinal and the noun that it counts.
struct Ordinal<'t> {
    value: u32,
    tokens: Range<usize>,
    noun: &'t Token,
}

/// Enters every ordinal that counts something: with its place in the sources, or as a finding if they have another
/// one.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let texts = ledger.texts;
    for field in &texts.fields {
        for ordinal in ordinals(&field.reading, 0..field.reading.tokens.len()) {
            let (Some(first), Some(last)) =
                (field.reading.tokens.get(ordinal.tokens.start), field.reading.tokens.get(ordinal.tokens.end - 1))
            else {
                continue;
            };
            let (start, end) = (first.start, last.end);
            if first.quoted() || first.aside() || ledger.taken(field, start, end) {
                continue;
            }
            match held(texts, &field.reading, &ordinal) {
                Held::So(place) => ledger.pass(|| sound(texts, field, start..end, Some(place))),
                Held::Otherwise(place, written) => ledger.enter(
                    Fault::new(&RULE, field, start..end)
                        .note(format!("The source has “{written}” here."))
                        .passage(texts.archive.sentence(place)),
                ),
                Held::Nowhere => ledger.pass(|| sound(texts, field, start..end, None)),
            }
        }
    }
}

fn sound(texts: &ProofTexts<'_>, field: &DraftField<'_>, range: Range<usize>, place: Option<SourceLine>) -> Sound {
    let passage = place.and_then(|place| texts.archive.sentence(place));
    Sound::found_if("number.found", SpanKind::Number, field, range, passage)
}

/// Which ordinal the sources have before a noun.
enum Held {
    /// The same ordinal.
    So(SourceLine),
    /// Another one, as it is written there, and nowhere the same one.
    Otherwise(SourceLine, String),
    /// None, or none on the same topic.
    Nowhere,
}

fn held(texts: &ProofTexts<'_>, reading: &ParsedText<'_>, ordinal: &Ordinal<'_>) -> Held {
    let archive: &SourceArchive<'_> = &texts.archive;
    let own = of_line(reading, ordinal.noun.line);
    let mut best: Option<(usize, SourceLine, String)> = None;
    for place in archive.places_of(&ordinal.noun.word) {
        let Some(source) = archive.reading(place) else { continue };
        let tokens = archive.line(place).map_or(0..0, |line| line.tokens.clone());
        // "A second alarm went out at 11:02 and a third at 11:19": the noun may stand only once.
        if tokens.clone().any(|at| value(source, at).is_some_and(|(value, _)| value == ordinal.value)) {
            return Held::So(place);
        }
        let shared = common(&own, &of_line(source, place.line));
        for theirs in ordinals(source, tokens).filter(|theirs| theirs.noun.stem == ordinal.noun.stem) {
            let bytes =
                source.tokens.get(theirs.tokens).and_then(|tokens| Some(tokens.first()?.start..tokens.last()?.end));
            if shared >= SHARED && best.as_ref().is_none_or(|(most, ..)| shared > *most) {
                best = Some((shared, place, bytes.map_or("", |bytes| source.slice(bytes)).to_owned()));
            }
        }
    }
    best.map_or(Held::Nowhere, |(_, place, written)| Held::Otherwise(place, written))
}

/// Nouns that an ordinal only distinguishes: there is a first half and a second.
const PARTS: [&str; 4] = ["half", "halves", "quarter", "quarters"];

/// Whether the ordinal at `tokens` is a part of a whole: `a seventh of the deficit`, `one-fifth of them`.
fn is_part(reading: &ParsedText<'_>, tokens: &Range<usize>) -> bool {
    let word = |at: usize| reading.tokens.get(at).map_or("", |token| token.word.as_str());
    let before = tokens.start.checked_sub(1).map_or("", word);
    matches!(before, "a" | "one" | "an") && word(tokens.end) == "of"
}

/// The ordinals that count the noun after them. Days, parts and names (`Fifth Avenue`) are left out.
fn ordinals<'r>(reading: &'r ParsedText<'_>, tokens: Range<usize>) -> impl Iterator<Item = Ordinal<'r>> {
    tokens.filter_map(|at| {
        let (value, end) = value(reading, at)?;
        let (first, last) = (reading.tokens.get(at)?, reading.tokens.get(end - 1)?);
        let dated = reading.figures.partition_point(|figure| figure.start < last.end);
        let counted = reading.figures.get(..dated)?.last().is_some_and(|figure| figure.end > first.start);
        if counted || is_part(reading, &(at..end)) {
            return None;
        }
        let mut edge = last.end;
        let behind = reading.tokens.get(end..)?.iter().take(BEHIND);
        let close = behind.take_while(|token| {
            let gap = reading.text.get(edge..token.start).unwrap_or(";");
            edge = token.end;
            token.line == last.line && matches!(gap.trim(), "" | "-")
        });
        let noun = close.into_iter().find(|token| !token.stop)?;
        let named = first.capital && noun.capital;
        (!named && !PARTS.contains(&noun.word.as_str())).then_some(Ordinal { value, tokens: at..end, noun })
    })
}

/// The ordinal that begins at a word, and the index after its last word: `21st`, `third`, `twenty-first`.
fn value(reading: &ParsedText<'_>, at: usize) -> Option<(u32, usize)> {
    let token = reading.tokens.get(at)?;
    let word = token.word.as_str();
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        let number = ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending))?;
        return Some((number.parse().ok()?, at + 1));
    }
    if let Some(value) = small_ordinal(word) {
        // The second half of "twenty-first" is not an ordinal by itself.
        let tens = at.checked_sub(1).and_then(|before| reading.tokens.get(before)).is_some_and(|before| {
            matches!(number_word(&before.word), Some(NumberWord::Unit(tens)) if tens >= 20)
                && reading.text.get(before.end..token.start) == Some("-")
        });
        return (!tens).then_some((value, at + 1));
    }
    let Some(NumberWord::Unit(tens)) = number_word(word) else { return None };
    let next = reading.tokens.get(at + 1).filter(|next| reading.text.get(token.end..next.start) == Some("-"))?;
    let one = small_ordinal(&next.word).filter(|one| *one < 10 && tens >= 20 && tens.is_multiple_of(10))?;
    Some((tens + one, at + 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        check::ledger,
        rule::Gravity,
        testing::{check_texts, texts},
    };

    const SOURCE: &str = "The council held its 21st meeting of the year on Tuesday. It was the third budget in a row with a deficit. \
                          The first vote failed, the second vote passed. A third of the trees on Fifth Avenue fell on May 5th.";

    fn found(draft: &str) -> Vec<(String, String)> {
        check_texts(draft, SOURCE).into_iter().map(|f| (f.rule, f.text)).collect()
    }

    #[test]
    fn another_ordinal_of_the_same_thing_is_found() {
        let one = |text: &str| [("number.ordinal".to_owned(), text.to_owned())];
        assert_eq!(found("The council held its 22nd meeting of the year on Tuesday."), one("22nd"));
        assert_eq!(found("The council held its twenty-second meeting of the year."), one("twenty-second"));
        assert_eq!(found("It was the fourth budget in a row with a deficit."), one("fourth"));
    }

    #[test]
    fn the_same_one_in_another_form_and_one_of_something_else_are_not() {
        for fine in [
            "The council held its twenty-first meeting of the year.",
            "It was the 3rd budget in a row with a deficit.",
            "The second vote passed.",
            "The fourth dog in a row barked at the meeting.",
            "A third of the trees on Fifth Avenue fell on May 5th.",
            "“It was the fourth budget in a row,” nobody said.",
        ] {
            assert!(found(fine).iter().all(|(rule, _)| rule != "number.ordinal"), "{fine}: {:?}", found(fine));
        }
        let standing = |draft: &str| {
            let (article, sources) = texts(draft, SOURCE);
            let rows = ledger(&article, &sources, Gravity::Concern).rows;
            rows.into_iter().filter(|row| row.kind == SpanKind::Number).map(|row| row.standing).collect::<Vec<_>>()
        };
        assert_eq!(standing("It was the third budget."), [Standing::Matches]);
        assert_eq!(standing("It was the fourth dog."), [Standing::Unchecked]);
    }

    #[test]
    fn ordinals_in_words() {
        let all = |text: &str| {
            let reading = ParsedText::new(text);
            ordinals(&reading, 0..reading.tokens.len()).map(|ordinal| ordinal.value).collect::<Vec<_>>()
        };
        assert_eq!(all("a twentieth case, a thirty-ninth case, a ninetieth case, the 112th case"), [20, 39, 90, 112]);
        assert_eq!(all("the third, which came"), [0; 0]);
    }

    #[test]
    fn a_part_of_a_whole_and_a_half_of_a_season_are_not_counted() {
        let all = |text: &str| {
            let reading = ParsedText::new(text);
            ordinals(&reading, 0..reading.tokens.len()).map(|ordinal| ordinal.value).collect::<Vec<_>>()
        };
        assert_eq!(all("about a seventh of the deficit, an eighth of it, one-fifth of them"), [0; 0]);
        assert_eq!(all("in the first half, in the third quarter of the year, the first halves"), [0; 0]);
        assert_eq!(all("a seventh deficit, the seventh of the deficits"), [7, 7]);
        let source = "In the first half of the year the deficit of the harbour fell; it was the seventh deficit of the harbour since the flood.";
        for fine in [
            "In the second half of the year the deficit of the harbour fell.",
            "It was a sixth of the deficit of the harbour since the flood.",
        ] {
            assert_eq!(check_texts(fine, source).into_iter().filter(|f| f.rule == RULE.name).count(), 0, "{fine}");
        }
        let wrong = check_texts("It was the sixth deficit of the harbour since the flood.", source);
        assert_eq!(wrong.into_iter().map(|found| found.text).collect::<Vec<_>>(), ["sixth"]);
    }
}
