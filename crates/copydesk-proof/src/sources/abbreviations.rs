//! Abbreviations and what they stand for: `DfT`, `LA`, `USDA`.
//!
//! Why: a name may have its short form in the draft and its long form in the source, or the other way round. The rules recognise initials
//! in capitals, but those with a small letter look like an unknown name. They are fine if the draft or a source says what they stand for. A
//! few bodies and places are so well known that no text says it.

use std::{ops::Range, sync::LazyLock};

use foldhash::HashMap;

use crate::{
    reading::{ParsedText, Token, possessive, shouted},
    sources::{ProofTexts, SourceLine, archive::MOST_SPOKEN},
    words::base,
};
use copydesk_text::words::is_stop_word;

/// A word with more letters is a name.
const MOST: usize = 6;

/// So many places of a short form are looked at for one with a capital.
const PLACES: usize = 8;

/// Whether a word of the draft is an abbreviation of mixed case that the draft or a source explains.
pub fn explained(texts: &ProofTexts<'_>, reading: &ParsedText<'_>, token: &Token) -> bool {
    let letters: Vec<char> = reading.slice(token.start..token.end - possessive(reading, token)).chars().collect();
    let capitals = letters.iter().filter(|letter| letter.is_uppercase()).count();
    let mixed = capitals >= 2 && capitals < letters.len() && letters.len() <= MOST;
    let draft = texts.fields.iter().map(|field| &field.reading);
    mixed
        && letters.iter().all(|letter| letter.is_alphabetic())
        && draft.chain(&texts.archive.readings).any(|text| written_out(text, &letters) || bracketed(text, &token.word))
}

/// Whether the draft or a source explains initials in capitals: it has words for them, or puts them in brackets behind a name. Small words
/// between may be left out: `DOJ` for Department of Justice.
pub fn stands_for_words(texts: &ProofTexts<'_>, token: &Token) -> bool {
    let letters: Vec<char> = base(&token.word).chars().collect();
    let has = |text: &ParsedText<'_>| begun_by(text, &letters) || bracketed(text, &token.word);
    texts.fields.iter().any(|field| has(&field.reading))
        || texts.explains(&token.word, || texts.archive.readings.iter().any(has))
}

/// Whether a sentence of a text has words in a row that begin with these small letters. A small word may be left out, and none is the first
/// or the last: "I mean for" is no IMF.
fn begun_by(text: &ParsedText<'_>, letters: &[char]) -> bool {
    let begins = |token: &Token, letter: char| token.word.starts_with(letter);
    let [first, inner @ .., last] = letters else { return false };
    text.tokens.iter().enumerate().filter(|(_, head)| !head.stop && begins(head, *first)).any(|(at, head)| {
        let row = text.tokens.get(at + 1..).unwrap_or_default().iter().take_while(|token| token.line == head.line);
        let mut row = row.peekable();
        inner.iter().all(|letter| {
            while row.next_if(|token| token.stop && !begins(token, *letter)).is_some() {}
            row.next().is_some_and(|token| begins(token, *letter))
        }) && row.find(|token| !token.stop).is_some_and(|token| begins(token, *last))
    })
}

/// Whether a text has words in a row that begin with these letters, with a capital if the letter is one.
fn written_out(text: &ParsedText<'_>, letters: &[char]) -> bool {
    let begins = |token: &Token, letter: char| {
        let first = text.slice(token.start..token.end).chars().next();
        first.is_some_and(|first| first == letter || letter.is_lowercase() && first.to_lowercase().eq([letter]))
    };
    text.tokens.windows(letters.len()).any(|words| {
        let one_line = words.first().zip(words.last()).is_some_and(|(first, last)| first.line == last.line);
        one_line && words.iter().zip(letters).all(|(word, letter)| begins(word, *letter))
    })
}

/// Whether a text has a word alone in brackets, right after a word with a capital.
fn bracketed(text: &ParsedText<'_>, word: &str) -> bool {
    text.tokens.windows(2).any(|pair| {
        let [before, token] = pair else { return false };
        let gap = text.slice(before.end..token.start);
        let closes = text.text.get(token.end..).is_some_and(|rest| rest.starts_with(')'));
        token.word == word && before.capital && gap.trim() == "(" && closes
    })
}

/// Bodies and places that everybody knows by initials, by a short form or by their seat, and their names; word by word, since a point
/// divides initials. One pair a line, a bar between.
///
/// For each word the forms that have it, each before its other form, in the order of the list.
static WELL_KNOWN: LazyLock<HashMap<&str, Vec<(&str, &str)>>> = LazyLock::new(|| {
    let lines = include_str!("../../../../assets/words/well_known.txt").lines().filter(|line| !line.starts_with('#'));
    let pairs = lines.filter_map(|line| line.split_once('|')).map(|(one, other)| (one.trim(), other.trim()));
    let mut forms: HashMap<&str, Vec<(&str, &str)>> = HashMap::default();
    for (own, other) in pairs.flat_map(|(short, long)| [(short, long), (long, short)]) {
        for word in own.split(' ') {
            forms.entry(word).or_default().push((own, other));
        }
    }
    forms
});

/// Whether the words of a phrase stand in a row, one of them at `index`.
fn stands(tokens: &[Token], index: usize, phrase: &str) -> bool {
    let length = phrase.split(' ').count();
    ((index + 1).saturating_sub(length)..=index).any(|start| {
        let row = tokens.get(start..start + length).unwrap_or_default();
        row.len() == length && row.iter().zip(phrase.split(' ')).all(|(token, word)| base(&token.word) == word)
    })
}

/// A sentence of the sources that has the well-known name around a word in its other form: `USDA` for the Department of Agriculture, or
/// the reverse.
pub fn in_another_form(texts: &ProofTexts<'_>, reading: &ParsedText<'_>, index: usize) -> Option<SourceLine> {
    let word = reading.tokens.get(index).map(|token| base(&token.word))?;
    let forms = WELL_KNOWN.get(word).into_iter().flatten();
    let mut others = forms.filter(|(own, _)| stands(&reading.tokens, index, own)).map(|(_, other)| other);
    others.find_map(|phrase| {
        let words = phrase.split(' ').map(|word| texts.stream.look_up(word)).collect();
        texts.stream.find(&[words], PLACES).into_iter().find_map(|found| {
            let token = texts.archive.readings.get(found.source)?.tokens.get(found.whole().start)?;
            token.capital.then_some(SourceLine { source: found.source, line: token.line })
        })
    })
}

/// The initials of some words with capitals; a word in capitals stands for itself: `UKACC` for the UK Anti-Corruption Coalition. Folded.
pub fn initials(reading: &ParsedText<'_>, words: &Range<usize>) -> String {
    let tokens = reading.tokens.get(words.clone()).unwrap_or_default();
    let capital = tokens.iter().filter(|token| token.capital && !token.stop);
    let letters = |token: &Token| if shouted(reading, token) { usize::MAX } else { 1 };
    capital.flat_map(|token| base(&token.word).chars().take(letters(token))).collect()
}

/// Whether the sources have the words around one in another form, such as their initials: `LA` for Los Angeles.
pub fn shortened(texts: &ProofTexts<'_>, reading: &ParsedText<'_>, index: usize) -> bool {
    let short = |length: usize| {
        ((index + 1).saturating_sub(length)..=index).any(|start| {
            let short = initials(reading, &(start..start + length));
            let all = short.chars().count() == length;
            all && texts.archive.seen(&short).is_some_and(|seen| seen.capital || !is_stop_word(&short))
        })
    };
    (2..=4).any(short) || in_another_form(texts, reading, index).is_some()
}

/// Whether a word belongs to a name whose initials the sources have: `Department of Public Safety` for `D-P-S`, `New Democrats` for `NDP`.
pub fn spells_out(texts: &ProofTexts<'_>, reading: &ParsedText<'_>, index: usize) -> bool {
    let Some(line) = reading.tokens.get(index).map(|token| token.line) else { return false };
    let part = |at: usize| {
        let token = reading.tokens.get(at).filter(|token| token.line == line && !token.quoted());
        token.is_some_and(|token| token.capital || matches!(&*token.word, "of" | "and" | "the" | "for"))
    };
    let start = (0..index).rev().take_while(|at| part(*at)).last().unwrap_or(index);
    let end = (index..reading.tokens.len()).take_while(|at| part(*at)).last().unwrap_or(index) + 1;
    let tokens = reading.tokens.get(start..end).unwrap_or_default();
    let letters: Vec<(usize, char)> = (start..)
        .zip(tokens)
        .filter(|(_, token)| token.capital)
        .filter_map(|(at, token)| Some((at, token.word.chars().next()?)))
        .collect();
    let known = texts.archive.short_forms();
    let spoken = (2..=MOST_SPOKEN).any(|length| {
        letters.windows(length).filter(|row| row.iter().any(|(at, _)| *at == index)).any(|row| {
            let letters: String = row.iter().map(|(_, letter)| letter).collect();
            known.spoken.contains(&letters)
        })
    });
    spoken
        || known.all.iter().any(|short| {
            let short: Vec<char> =
                short.strip_suffix('p').filter(|rest| rest.len() > 1).unwrap_or(short).chars().collect();
            letters.windows(short.len()).any(|row| {
                row.iter().any(|(at, _)| *at == index) && row.iter().map(|(_, letter)| letter).eq(short.iter())
            })
        })
}

/// Whether the sources have a country or a state only by its code: `CRO` before `Croat`, `Bozeman, MT` for Montana.
pub fn coded(texts: &ProofTexts<'_>, word: &str) -> bool {
    let known = texts.archive.short_forms();
    let country = |code: &String| code.len() == 3 && word.starts_with(code.as_str());
    let state = |code: &String| match *code.as_bytes() {
        [first, second] => {
            word.as_bytes().first() == Some(&first) && word.bytes().skip(1).any(|letter| letter == second)
        }
        _ => false,
    };
    word.chars().count() > 4 && (known.all.iter().any(country) || known.behind_commas.iter().any(state))
}

#[cfg(test)]
mod tests {
    use crate::{
        check::ledger,
        rule::Gravity,
        testing::{check_texts, notes, texts},
    };
    use copydesk_newsroom::{SpanKind, Standing};

    fn strangers(draft: &str, source: &str) -> usize {
        check_texts(draft, source).iter().filter(|found| found.rule == "name.not_found").count()
    }

    #[test]
    fn a_name_may_spell_out_what_a_source_abbreviates() {
        let source = "SGT. LUZ MONTANO, D-P-S: the road is shut. NDP 48, Green 2. Wade Ferris, Bozeman, MT. Elena Markovic (CRO) won. \
                      The G.W.B. paid.";
        for fine in [
            "The road is shut, said the Department of Public Safety.",
            "The New Democrats have 48.",
            "Wade Ferris is from Montana.",
            "Elena Markovic, a Croat, won.",
            "On Monday the Garlow Wharf Bureau paid.",
        ] {
            assert_eq!(strangers(fine, source), 0, "{fine}");
        }
        for wrong in [
            "The road is shut, said the Department of Wildlife.",
            "Wade Ferris is from Wyoming.",
            "On Monday the Garlow Mussel Bureau paid.",
        ] {
            assert!(strangers(wrong, source) > 0, "{wrong}");
        }
    }

    /// The names with a capital letter inside that no source has.
    fn names(draft: &str, source: &str) -> Vec<String> {
        let found = check_texts(draft, source).into_iter().map(|found| (found.rule, found.text));
        let noted = notes(draft, source).into_iter().map(|row| (row.rule, row.text));
        let found = found.chain(noted).filter(|(rule, _)| rule.contains("name")).map(|(_, text)| text);
        found.filter(|text| text.chars().skip(1).any(char::is_uppercase) && !text.contains(' ')).collect()
    }

    #[test]
    fn letters_that_stand_for_words_of_a_text_are_no_name() {
        let source = "The bridge is a matter for the Department for Transport. The bank waits.";
        assert_eq!(names("The bridge is a matter for the DfT, and the DfT’s rules apply.", source), [""; 0]);
        let source = "The bridge is a matter for the bank.";
        assert_eq!(names("The Ministry of Defence built it. Then the MoD left the bridge.", source), [""; 0]);
        assert_eq!(names("The Cycling House (CycHo) waits. Then the CycHo left the bridge.", source), [""; 0]);
    }

    #[test]
    fn a_well_known_body_is_found_in_its_other_form() {
        let rows = |draft: &str, source: &str| {
            let (article, sources) = texts(draft, source);
            let rows = ledger(&article, &sources, Gravity::Concern).rows.into_iter();
            rows.filter(|row| row.kind == SpanKind::Name).map(|row| (row.text, row.standing)).collect::<Vec<_>>()
        };
        let there = |name: &str| (name.to_owned(), Standing::StandsThere);
        let long = "Then the United States Department of Agriculture and the Food and Drug Administration paid.";
        assert_eq!(
            rows(long, "The harbour got a grant of the USDA. The FDA came later."),
            ["United States Department", "Agriculture", "Food", "Drug Administration"].map(there)
        );
        let source =
            "The harbour is in the District of Columbia. A grant of the Food and Drug Administration came later.";
        assert_eq!(rows("Then the FDA left D.C. for good.", source), ["FDA", "D.C"].map(there));
        let plant = "The plant is in Ogden, Michigan. The Department of Defense ran it, and the President closed it.";
        assert_eq!(
            rows("Then the White House and the Pentagon left Ogden, Mich., for good.", plant),
            ["White House", "Pentagon", "Ogden", "Mich"].map(there)
        );
        // Other words in a row have no short form.
        let found = rows("Then the Department of Harbours paid.", "The harbour got a grant of the USDA.");
        assert!(found.iter().all(|(_, standing)| *standing != Standing::StandsThere), "{found:?}");
    }

    #[test]
    fn initials_that_stand_for_no_words_are_a_new_name() {
        let source = "I mean for the harbour: the Department of Justice paid, and so did the Office for Fair Trade (OFTA). Personal protective \
                      equipment was bought. The OECD raised its forecast.";
        assert_eq!(names("The harbour was paid by the DOJ and the OFTA. The PPE was bought.", source), [""; 0]);
        assert_eq!(names("The harbour was paid. The IMF raised its forecast.", source), ["IMF"]);
        let own = "The National Harbour Union paid. Then the NHU left the harbour.";
        let found = names(own, source);
        assert!(!found.contains(&"NHU".to_owned()), "{found:?}");
    }

    #[test]
    fn letters_that_stand_for_nothing_are_one() {
        let source = "The department is for trains. A dog found the bridge.";
        assert_eq!(names("The bridge is a matter for the DfT.", source), ["DfT"]);
        assert_eq!(names("The bridge waits (McKay), as the McKay knew.", source), ["McKay"]);
        let long = "The Department for Transport waits.";
        assert_eq!(names("The bridge is a matter for the DepForTra.", long), ["DepForTra"]);
        let apart = "The department waits for a Friend. Then Ada left.";
        assert_eq!(names("The bridge is a matter for the FTa.", apart), ["FTa"]);
    }
}
