//! Abbreviations of mixed case: `DfT`, `MoD`, `BoE`.
//!
//! Why: initials in capitals are taken for what they stand for; those with a small letter among them look like a name that no
//! source has. They are none where the draft or a source tells what they stand for.

use crate::{
    proof::{
        reading::{people::possessive, text::ParsedText, token::Token},
        sources::{archive::SourceArchive, texts::ProofTexts},
    },
    text::words::is_stop_word,
};

/// More letters than these are a name.
const MOST: usize = 6;

/// Whether a word of the draft is an abbreviation of mixed case that the draft or a source writes out, or puts in brackets
/// behind what it stands for.
pub fn explained(desk: &ProofTexts<'_>, reading: &ParsedText<'_>, token: &Token) -> bool {
    let letters: Vec<char> = reading.slice(token.start..token.end - possessive(reading, token)).chars().collect();
    let capitals = letters.iter().filter(|letter| letter.is_uppercase()).count();
    let mixed = capitals >= 2 && capitals < letters.len() && letters.len() <= MOST;
    let draft = desk.fields.iter().map(|field| &field.reading);
    mixed
        && letters.iter().all(|letter| letter.is_alphabetic())
        && draft.chain(&desk.archive.readings).any(|text| written_out(text, &letters) || bracketed(text, &token.word))
}

/// Whether a text has words in a row that begin with these letters, with a capital where the letter is one.
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

/// Whether a text has a word by itself in brackets, right behind a word with a capital.
fn bracketed(text: &ParsedText<'_>, word: &str) -> bool {
    text.tokens.windows(2).any(|pair| {
        let [before, token] = pair else { return false };
        let gap = text.slice(before.end..token.start);
        let closes = text.text.get(token.end..).is_some_and(|rest| rest.starts_with(')'));
        token.word == word && before.capital && gap.trim() == "(" && closes
    })
}

/// Whether the sources have the initials of the words around one: `LA` for Los Angeles.
pub fn shortened(archive: &SourceArchive<'_>, reading: &ParsedText<'_>, index: usize) -> bool {
    (2..=4_usize).any(|length| {
        ((index + 1).saturating_sub(length)..=index).any(|start| {
            let words = reading.tokens.get(start..start + length).unwrap_or_default();
            let short: String =
                words.iter().filter(|token| token.capital).filter_map(|token| token.word.chars().next()).collect();
            short.chars().count() == length
                && archive.seen(&short).is_some_and(|seen| seen.capital || !is_stop_word(&short))
        })
    })
}

#[cfg(test)]
mod tests {
    use crate::proof::trial::{check_texts, notes};

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
