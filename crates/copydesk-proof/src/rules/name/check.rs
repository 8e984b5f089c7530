//! Names: each name of the draft is in a source, with this spelling, and belongs to the person meant.
//!
//! Why: a misspelt name costs a reader's trust, and the wrong one of two namesakes can cost a lawsuit. Words that are
//! capitalised for other reasons (the first of a sentence, a weekday, a nationality) are not judged.

use crate::{
    binding::takes_part,
    reading::{month, opens, weekday},
    rules::{
        name::{namesakes, not_found, roles, spelling, swapped, title},
        prelude::*,
    },
    sources::abbreviations::in_another_form,
    words::{base, entries, nicknames::is_first_name},
};
use copydesk_text::words::number_word;

pub static RULES: [&Rule; 4] = [&spelling::RULE, &swapped::RULE, &title::RULE, &not_found::RULE];

/// Enters every name that the sources do not have, or that they spell or use differently.
pub fn check(ledger: &mut LedgerWriter<'_, '_>) {
    let texts = ledger.texts;
    for Spot { field, item: name, .. } in texts.names() {
        let reading = &field.reading;
        let quoted = reading.tokens.get(name.tokens.start).is_none_or(Token::quoted);
        let (before, behind) =
            reading.figures.split_at(reading.figures.partition_point(|figure| figure.end <= name.start));
        // "Swiss francs", "the Sixties"
        let part = behind.first().is_some_and(|figure| figure.start <= name.start && name.end <= figure.end);
        // "9 a.m. EST"
        let zone = |time: &Figure| time.written.zone.is_some() && time.tokens.end == name.tokens.start;
        if quoted || part || before.last().is_some_and(zone) {
            continue;
        }
        // Capitals and titles mean other things in other languages, so only the spelling of a full name is judged.
        let full = |found: &Fault| found.rule.name == spelling::RULE.name && name.words.len() > 1;
        let judged = judge(texts, field, name).filter(|found| !texts.foreign || full(found));
        let role = if texts.foreign { None } else { roles::check(texts, field, name) };
        let line = reading.line_of(&name.tokens);
        // "Fed Cut Rate Over Two Dissents": in such a headline every word has a capital.
        let named = || !is_title_case(reading, line) || named_there(texts, name).is_some();
        let sound = judged.is_none() && role.is_none() && ledger.whole;
        if sound && named() && !is_plain_word(texts, field, name) {
            // "Ruud, Ada; Berg, Tom" does not name an Ada Berg.
            let joined = || {
                name.words.len() > 1 && name.first().is_some_and(is_first_name) && named_there(texts, name).is_none()
            };
            let place = takes_part(texts, reading, &ledger.aligned(field, line), name).filter(|_| !joined());
            let bound = place.and_then(|place| texts.archive.sentence(place));
            let other = || name.tokens.clone().find_map(|at| in_another_form(texts, reading, at));
            let there = || named_there(texts, name).or_else(|| texts.archive.sentence(other()?));
            let span = name.start..name.end;
            ledger.pass(|| Sound::bound_if("name.found", SpanKind::Name, field, span, bound, there));
        }
        let office = if texts.foreign { None } else { title::check(texts, field, name) };
        for found in judged.into_iter().chain(role).chain(office) {
            ledger.enter(found);
        }
    }
}

/// Whether the sources have neither the name nor one that resembles it.
pub fn is_new(texts: &ProofTexts<'_>, field: &DraftField<'_>, name: &Name) -> bool {
    judge(texts, field, name).is_some()
}

/// Whether what looks like a name is a word at the beginning of a sentence.
fn is_plain_word(texts: &ProofTexts<'_>, field: &DraftField<'_>, name: &Name) -> bool {
    let Some([token]) = field.reading.tokens.get(name.tokens.clone()) else { return false };
    let begins = opens(&field.reading, name.tokens.start);
    token.stop
        || number_word(&token.word).is_some()
        || month(token).is_some()
        || weekday(token).is_some()
        || begins && {
            let word = base(&token.word);
            let named = !texts.roster.of(word).is_empty();
            texts.archive.seen(&token.word).is_some_and(|seen| seen.lower) || !named && !entries(word).is_empty()
        }
}

/// The sentence of a source that has at least all words of the name.
fn named_there(texts: &ProofTexts<'_>, name: &Name) -> Option<SourceSpan> {
    texts.source_names.iter().enumerate().find_map(|(source, names)| {
        let there = names.iter().find(|there| name.words.iter().all(|word| there.words.contains(word)))?;
        let line = texts.archive.readings.get(source)?.tokens.get(there.tokens.start)?.line;
        texts.archive.sentence(SourceLine { source, line })
    })
}

fn judge(texts: &ProofTexts<'_>, field: &DraftField<'_>, name: &Name) -> Option<Fault> {
    if let Some(found) = namesakes::check(texts, field, name) {
        return Some(found);
    }
    let tokens = field.reading.tokens.get(name.tokens.clone())?;
    let titled = is_title_case(&field.reading, tokens.first()?.line);
    let (mut heads, mut unknown) = (Vec::new(), Vec::new());
    let strange = |token: &Token| token.capital && !titled && not_found::is_unknown(texts, &field.reading, token);
    for (place, token) in tokens.iter().enumerate().filter(|(_, token)| strange(token)) {
        let free = opens(&field.reading, name.tokens.start + place)
            && !(tokens.len() > 1 && known_beside(texts, tokens, place));
        if free { heads.push(token) } else { unknown.push(token) }
    }
    let head = heads.iter().find_map(|token| spelling::misspelt_at_the_head(texts, field, token));
    head.or_else(|| spelling::misspelt(texts, field, unknown.first()?))
        .or_else(|| spelling::near_person(texts, field, name).filter(|_| !unknown.is_empty()))
        .or_else(|| not_found::stranger(texts, field, name, &unknown).filter(|_| !unknown.is_empty()))
}

/// Whether the sources know another word of the run as a name. Then the first word can be judged as part of it.
fn known_beside(texts: &ProofTexts<'_>, tokens: &[Token], place: usize) -> bool {
    tokens.iter().enumerate().any(|(at, token)| {
        at != place && texts.archive.seen(&token.word).is_some_and(|seen| seen.capital && !seen.lower)
    }) && tokens.get(place).is_some_and(|token| !token.stop && !token.word.ends_with("ly"))
}

/// Whether a line is a headline in title case. Capitals mean nothing there.
fn is_title_case(reading: &ParsedText<'_>, line: usize) -> bool {
    let word = |token: &&Token| !token.stop && !token.class.has(Class::NUMBER);
    let words: Vec<&Token> = reading.line_tokens(line).iter().filter(word).collect();
    let capitals = words.iter().filter(|token| token.capital).count();
    let sentence = reading.line_text(line).ends_with(['.', '!', '?', '”', '"']);
    !sentence && words.len() >= 4 && capitals * 10 >= words.len() * 8
}

#[cfg(test)]
mod tests {
    use crate::testing::check_texts;

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
    fn a_name_one_letter_off_is_misspelt_wherever_it_stands() {
        for head in ["Merchand spoke.", "Brandvald closed it.", "“Nothing.” Marchend left."] {
            let rules: Vec<String> = found(head).into_iter().map(|(rule, ..)| rule).collect();
            assert!(rules.contains(&"name.spelling".to_owned()), "{head}: {rules:?}");
        }
        for word in ["Merchants closed it.", "Lowest of all was the pond."] {
            assert!(found(word).iter().all(|(rule, ..)| rule != "name.spelling"), "{word}: {:?}", found(word));
        }
        assert_eq!(check_texts("The Texans left early.", "Let us take Texas. The guests left early."), []);
        let source = "Conrad Ohm spoke at the gate. Ada Lee left.";
        let rules =
            |draft: &str| check_texts(draft, source).into_iter().map(|f| (f.rule, f.replacement)).collect::<Vec<_>>();
        assert_eq!(rules("Then Conrad Olm spoke at the gate."), [("name.spelling".to_owned(), Some("Ohm".to_owned()))]);
        assert_eq!(rules("Then Conrad Rye spoke at the gate."), [("name.not_found".to_owned(), None)]);
    }

    #[test]
    fn a_surname_is_no_form_of_another() {
        for (draft, source, wrong) in [
            ("Then Anna Holter signed.", "Anna Holt signed.", "Holter"),
            ("Then Jürgen Kraus conducted.", "CONDUCTOR: JÜRGEN KRAUSS", "Kraus"),
            ("Then Martin Preußer signed.", "MARTIN PREUSS signed.", "Preußer"),
        ] {
            let found: Vec<String> = check_texts(draft, source).into_iter().map(|found| found.text).collect();
            assert_eq!(found, [wrong], "{draft}");
        }
        assert_eq!(check_texts("The Holts and the Berliners met.", "Anna Holt met people of Berlin."), []);
    }

    #[test]
    fn a_common_word_does_not_make_a_strange_place_known() {
        let places = check_texts("A park in Garlow Falls was closed.", "The price falls in spring. A park was closed.");
        assert_eq!(places.iter().map(|f| f.text.as_str()).collect::<Vec<_>>(), ["Garlow Falls"]);
    }

    #[test]
    fn a_word_within_a_figure_is_no_name() {
        let source = "The kiosk cost CHF 70,000. It opened in the 1950s.";
        assert_eq!(check_texts("The kiosk, which opened in the Fifties, cost 70,000 Swiss francs.", source), []);
        assert_eq!(check_texts("The kiosk cost 70,000 Danish kroner.", source).len(), 1);
    }

    #[test]
    fn capitals_may_have_no_accents() {
        let source = "RENÉE IS LATE. ZOE MARTI: Yes. Noe Soler left.";
        assert_eq!(check_texts("Then Zoë Martí spoke.", source), []);
        let wrong = check_texts("Then Noé Soler left.", source);
        assert_eq!(wrong.iter().map(|found| found.rule.as_str()).collect::<Vec<_>>(), ["name.spelling"]);
    }

    #[test]
    fn an_umlaut_may_be_two_letters() {
        let source = "Jürgen Müller and Martin Oedegaard left. Anna Mayer stayed.";
        assert_eq!(check_texts("Then Mueller and Martin Ødegård left.", source), []);
        assert_eq!(check_texts("Søren Berg spoke.", "Soeren Berg spoke."), []);
        let wrong = check_texts("Then Anna Maeyer left.", source);
        assert_eq!(wrong.iter().map(|found| found.rule.as_str()).collect::<Vec<_>>(), ["name.spelling"]);
    }

    #[test]
    fn a_name_that_no_source_has() {
        assert_eq!(found("Sylvie Marchand spoke with Conrad Ohm."), one("name.not_found", "Conrad Ohm", None));
    }
}
