//! Names: everyone and everything that the draft names is named in a source, spelled so, and is the one that is meant.
//!
//! Why: a misspelt name loses a reader's trust, and the wrong one of two namesakes can lose a lawsuit. What is capitalised
//! for other reasons (a sentence's first word, a weekday, a nationality) is not judged.

use crate::{
    newsroom::{SourceSpan, SpanKind, Standing},
    proof::{
        ledger::{Fault, LedgerWriter, Sound},
        reading::{
            calendar::{month, weekday},
            people::{Name, opens, possessive, shouted},
            text::ParsedText,
            token::Token,
        },
        rule::Rule,
        rules::name::{
            faults::{NOT_FOUND, SPELLING, SWAPPED},
            namesakes, roles,
        },
        sources::{
            abbreviations::{self, shortened},
            archive::SourceLine,
            known,
            texts::{DraftField, ProofTexts, Spot},
        },
        words::{
            lexicon::entries,
            names::{COMMON, base, is_title},
            spelling::{distance, slips},
        },
    },
    text::words::number_word,
};

/// The rules of this file, of [`namesakes`] and of [`roles`].
pub static RULES: [&Rule; 3] = [&SPELLING, &SWAPPED, &NOT_FOUND];

/// Enters every name that the sources do not have, or have otherwise.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let desk = ledger.desk;
    for Spot { at, field, item: name, .. } in desk.names() {
        if field.reading.tokens.get(name.tokens.start).is_none_or(Token::quoted) {
            continue;
        }
        let judged = if desk.foreign {
            // Capitals and titles mean other things elsewhere: only a first name and a surname together are judged.
            [
                judge(desk, at, field, name).filter(|found| found.rule.name == SPELLING.name && name.words.len() > 1),
                None,
            ]
        } else {
            [judge(desk, at, field, name), roles::check(desk, at, name)]
        };
        if judged.iter().all(Option::is_none) && !is_plain_word(desk, field, name) {
            ledger.pass(|| {
                let passage = named_there(desk, name);
                Sound {
                    kind: SpanKind::Name,
                    standing: if passage.is_some() { Standing::Found } else { Standing::Unchecked },
                    rule: "name.found",
                    field: at,
                    start: name.start,
                    end: name.end,
                    passage,
                }
            });
        }
        for found in judged.into_iter().flatten() {
            ledger.enter(found);
        }
    }
}

/// Whether the sources have a name neither so nor nearly so.
pub fn is_new(desk: &ProofTexts<'_>, at: usize, name: &Name) -> bool {
    desk.fields.get(at).is_some_and(|field| judge(desk, at, field, name).is_some())
}

/// Whether what looks like a name is a word at the beginning of a sentence.
fn is_plain_word(desk: &ProofTexts<'_>, field: &DraftField<'_>, name: &Name) -> bool {
    let Some([token]) = field.reading.tokens.get(name.tokens.clone()) else { return false };
    let begins = opens(&field.reading, name.tokens.start);
    token.stop
        || number_word(&token.word).is_some()
        || month(token).is_some()
        || weekday(token).is_some()
        || begins && {
            let word = base(&token.word);
            let named = !desk.roster.of(word).is_empty();
            desk.archive.seen(&token.word).is_some_and(|seen| seen.lower) || !named && !entries(word).is_empty()
        }
}

/// Where a source has the name, written out as far as the draft has it.
fn named_there(desk: &ProofTexts<'_>, name: &Name) -> Option<SourceSpan> {
    desk.source_names.iter().enumerate().find_map(|(source, names)| {
        let there = names.iter().find(|there| name.words.iter().all(|word| there.words.contains(word)))?;
        let line = desk.archive.readings.get(source)?.tokens.get(there.tokens.start)?.line;
        desk.archive.sentence(SourceLine { source, line })
    })
}

fn judge(desk: &ProofTexts<'_>, at: usize, field: &DraftField<'_>, name: &Name) -> Option<Fault> {
    if let Some(found) = namesakes::check(desk, at, field, name) {
        return Some(found);
    }
    let tokens = field.reading.tokens.get(name.tokens.clone())?;
    let titled = is_title_case(&field.reading, tokens.first()?.line);
    let unknown: Vec<&Token> = tokens
        .iter()
        .enumerate()
        .filter(|(place, token)| {
            let free = opens(&field.reading, name.tokens.start + place)
                && !(tokens.len() > 1 && known_beside(desk, tokens, *place));
            !free && !titled && is_unknown(desk, &field.reading, token)
        })
        .map(|(_, token)| token)
        .collect();
    let first = unknown.first()?;
    if let Some((right, only)) = near_miss(desk, base(&first.word)) {
        let written = written_as(desk, &right)?;
        let mark = possessive(&field.reading, first);
        return Some(
            Fault::new(&SPELLING, at, first.start..first.end - mark)
                .note(format!("The sources write {written}."))
                .passage(occurrence(desk, &right))
                .replacement(Some(if only { written } else { String::new() })),
        );
    }
    // A run with a known name in it is the known name with a word of the reporter's: only a run that is unknown throughout,
    // or an unknown surname behind a known first name, names somebody new.
    let whole = unknown.len() == tokens.len()
        || unknown.last().is_some_and(|last| Some(last.start) == tokens.last().map(|t| t.start));
    // "Falls" may be a word of the sources; "Garlow Falls" is a place that none of them names.
    let stranger = tokens.iter().all(|token| !desk.archive.seen(base(&token.word)).is_some_and(|seen| seen.capital));
    let short = name.tokens.clone().any(|index| shortened(&desk.archive, &field.reading, index));
    ((whole || stranger) && !short)
        .then(|| Fault::new(&NOT_FOUND, at, name.start..name.end).note("No source has this name.".to_owned()))
}

/// Whether another word of the run is a name of the sources, so that a first word can be judged as part of it.
fn known_beside(desk: &ProofTexts<'_>, tokens: &[Token], place: usize) -> bool {
    tokens.iter().enumerate().any(|(at, token)| {
        at != place && desk.archive.seen(&token.word).is_some_and(|seen| seen.capital && !seen.lower)
    }) && tokens.get(place).is_some_and(|token| !token.stop && !token.word.ends_with("ly"))
}

fn is_unknown(desk: &ProofTexts<'_>, reading: &ParsedText<'_>, token: &Token) -> bool {
    let word = base(&token.word);
    let general = COMMON.contains(word) || is_title(word) || month(token).is_some() || weekday(token).is_some();
    let short = word.chars().count() < 3 || word.starts_with(|c: char| c.is_ascii_digit());
    let plural = word.strip_suffix('s').is_some_and(|one| desk.archive.seen(one).is_some());
    // Letters that stand for a name of the sources: PTA, NSU.
    let initials = shouted(reading, token) && word.chars().count() <= 5;
    !(general || short || plural || initials || token.stop)
        && desk.archive.seen(word).is_none()
        && !desk.archive.knows(&token.stem)
        && desk.archive.seen(&format!("{word}s")).is_none()
        && !known::of_a_place(&desk.archive, word)
        && !known::by_another_form(&desk.archive, word)
        && !abbreviations::explained(desk, reading, token)
}

/// A headline in title case, where capitals mean nothing.
fn is_title_case(reading: &ParsedText<'_>, line: usize) -> bool {
    let words: Vec<&Token> = reading.line_tokens(line).iter().filter(|token| !token.stop).collect();
    let capitals = words.iter().filter(|token| token.capital).count();
    let sentence = reading.line_text(line).ends_with(['.', '!', '?', '”', '"']);
    !sentence && words.len() >= 4 && capitals * 10 >= words.len() * 8
}

/// The sources' capitalised word that a slip of the pen turned into this one, and whether no other is as near.
fn near_miss(desk: &ProofTexts<'_>, word: &str) -> Option<(String, bool)> {
    let most = slips(word);
    let mut found: Vec<(usize, &str)> = desk
        .archive
        .capitals()
        .filter(|known| known.chars().count() > 3 && known.chars().next() == word.chars().next())
        .filter(|known| desk.archive.seen(known).is_some_and(|seen| !seen.lower))
        .filter_map(|known| distance(word, known, most).map(|apart| (apart, known)))
        .collect();
    found.sort_unstable();
    let (apart, right) = found.first().copied()?;
    let only = found.iter().filter(|(other, known)| *other <= apart && base(known) != base(right)).count() == 0;
    Some((right.to_owned(), only))
}

/// A word as the sources write it, in ordinary letters where they ever do.
fn written_as(desk: &ProofTexts<'_>, word: &str) -> Option<String> {
    let mut shown: Option<&str> = None;
    for reading in &desk.archive.readings {
        for token in reading.tokens.iter().filter(|token| token.capital && base(&token.word) == word) {
            let text = reading.slice(token.start..token.end - possessive(reading, token));
            if !shouted(reading, token) {
                return Some(text.to_owned());
            }
            shown.get_or_insert(text);
        }
    }
    shown.map(str::to_owned)
}

fn occurrence(desk: &ProofTexts<'_>, word: &str) -> Option<crate::newsroom::SourceSpan> {
    desk.archive.readings.iter().enumerate().find_map(|(source, reading)| {
        let token = reading.tokens.iter().find(|token| token.capital && base(&token.word) == word)?;
        desk.archive.sentence(SourceLine { source, line: token.line })
    })
}

#[cfg(test)]
mod tests {
    use crate::proof::trial::check_texts;

    const SOURCE: &str = "Sylvie Marchand, director of parks, spoke. Denise Pruitt, chair of the Friends of Miller Park, and \
                          Councilmember Thomas Pruitt are not related. The cannery is in Lower Brandle. Mayor Brandvold closed it.";

    fn found(draft: &str) -> Vec<(String, String, Option<String>)> {
        check_texts(draft, SOURCE).into_iter().map(|f| (f.rule, f.text, f.replacement)).collect()
    }

    fn one(rule: &str, text: &str, replacement: Option<&str>) -> Vec<(String, String, Option<String>)> {
        vec![(rule.to_owned(), text.to_owned(), replacement.map(str::to_owned))]
    }

    #[test]
    fn names_of_the_sources_may_stand() {
        for fine in [
            "Marchand spoke. Tom Pruitt and Ms. Pruitt are not related.",
            "Later Denise Pruitt, of the Friends, and Brandvold spoke on Tuesday.",
            "Sylvie Marchand’s director of parks spoke.",
        ] {
            assert_eq!(found(fine), [], "{fine}");
        }
    }

    #[test]
    fn a_slip_of_the_pen_is_put_right() {
        assert_eq!(
            found("Sylvie Merchant, director of parks, spoke."),
            one("name.spelling", "Merchant", Some("Marchand"))
        );
        assert_eq!(
            found("Dennis Pruitt chairs the Friends."),
            one("name.spelling", "Dennis Pruitt", Some("Denise Pruitt"))
        );
    }

    #[test]
    fn a_common_word_does_not_make_a_strange_place_known() {
        let places = check_texts("A park in Garlow Falls was closed.", "The price falls in spring. A park was closed.");
        assert_eq!(places.iter().map(|f| f.text.as_str()).collect::<Vec<_>>(), ["Garlow Falls"]);
    }

    #[test]
    fn a_name_that_no_source_has() {
        assert_eq!(found("Sylvie Marchand spoke with Conrad Ohm."), one("name.not_found", "Conrad Ohm", None));
    }
}
