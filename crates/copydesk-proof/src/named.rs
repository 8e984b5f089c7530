//! The names of a text, and which of them are persons.

use crate::{
    reading::{Name, ParsedText, names, opens, shouted},
    words::{base, calendar::may_name_a_day, nicknames::is_first_name, speech::says},
};
use copydesk_newsroom::NameInText;

/// Every name of a text, in order. Words in capitals throughout, days, and single words that begin a sentence are none.
#[must_use]
pub fn named(text: &str) -> Vec<NameInText> {
    let reading = ParsedText::new(text);
    let all = names(&reading);
    let mut found: Vec<NameInText> = Vec::new();
    for name in &all {
        let tokens = reading.tokens.get(name.tokens.clone()).unwrap_or_default();
        if tokens.iter().all(|token| shouted(&reading, token)) {
            continue;
        }
        // A title within the name of a body cuts it in two: the `Town` of Eastbrook Town Council.
        let whole = found.pop_if(|before| !name.personal() && is_one_name(text, before.range.end, name.start));
        let begins = whole.as_ref().map_or(name.start, |before| before.range.start);
        let is_alone = whole.is_none() && name.words.len() == 1 && !name.titled;
        if is_alone
            && (opens(&reading, name.tokens.start) || may_name_a_day(name.last()) || begins_sentence(text, name))
        {
            continue;
        }
        found.push(NameInText {
            range: begins..name.end,
            person: whole.is_none() && is_person(&reading, &all, name),
            no_person: !name.personal(),
        });
    }
    found
}

/// Whether between two places stands one word with a capital.
fn is_one_name(text: &str, end: usize, start: usize) -> bool {
    let word = text.get(end..start).and_then(|gap| gap.strip_prefix(' ')?.strip_suffix(' '));
    word.is_some_and(|word| word.starts_with(char::is_uppercase) && word.chars().all(char::is_alphabetic))
}

/// Whether the word before a name ends a sentence.
fn begins_sentence(text: &str, name: &Name) -> bool {
    text.get(..name.start)
        .is_none_or(|before| before.trim_end().is_empty() || before.trim_end().ends_with(['.', '!', '?']))
}

/// Whether a full name is surely a person's: by its first name, a title before it, a verb of speech behind it, or the surname alone
/// elsewhere.
fn is_person(reading: &ParsedText<'_>, all: &[Name], name: &Name) -> bool {
    let speaks = || {
        let next = reading.tokens.get(name.tokens.end);
        next.is_some_and(|token| matches!(&*token.word, "spoke" | "speaks") || says(base(&token.word)))
    };
    let alone = || all.iter().any(|other| other.words.len() == 1 && other.last() == name.last());
    name.words.len() > 1
        && name.personal()
        && (name.titled || name.first().is_some_and(is_first_name) || speaks() || alone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_name_a_title_a_verb_or_the_surname_alone_tells_a_person() {
        let text = "Mayor Inez Calloway met Ruth Voss at Miller Park on Tuesday. Orla Quill said no. Click here. \
                    Voss left. The Eastbrook Town Council waits. FREE BEER.";
        let found: Vec<(&str, bool)> =
            named(text).into_iter().map(|name| (text.get(name.range).unwrap(), name.person)).collect();
        assert_eq!(
            found,
            [
                ("Inez Calloway", true),
                ("Ruth Voss", true),
                ("Miller Park", false),
                ("Orla Quill", true),
                ("Eastbrook Town Council", false)
            ]
        );
    }
}
