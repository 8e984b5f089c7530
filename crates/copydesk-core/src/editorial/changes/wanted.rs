//! The quoted words that a to-do wants gone, and those that it wants there. The words before a quotation tell which it is.
//!
//! In doubt it is neither. A to-do that leaves a choice, gives an example or only points to a place wants no words that a rule can look
//! for.

use super::{instruction::quoted_ranges, passage::folded};

/// Verbs whose quoted words are to go.
const GOES: [&str; 10] = ["delete", "remove", "cut", "drop", "strike", "omit", "avoid", "replace", "change", "correct"];

/// Verbs whose quoted words are to come.
const COMES: [&str; 6] = ["write", "say", "put", "use", "insert", "add"];

/// Verbs that put one thing in the place of another, and the words before the other.
const REPLACES: [&str; 3] = ["replace", "change", "correct"];
const WITH: [&str; 4] = ["with", "to", "by", "into"];

const ADDS: [&str; 2] = ["insert", "add"];

const DENIES: [&str; 3] = ["not", "never", "don't"];

/// Directly before a quotation, these words point to a place or give an example.
const POINTS: [&str; 18] = [
    "in", "after", "before", "from", "near", "beside", "above", "below", "at", "on", "where", "about", "of", "for",
    "as", "like", "example", "between",
];

/// With one of these words the writer may choose.
const CHOICES: [&str; 4] = ["or", "either", "unless", "if"];

/// The quotations that are to go and those that are to come, each as its folded words.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Wanted {
    pub goes: Vec<Vec<String>>,
    pub comes: Vec<Vec<String>>,
    /// Whether the words to come stand beside the words that are there.
    pub adds: bool,
}

#[derive(Clone, Copy)]
enum Sense {
    Goes,
    Comes,
    Neither,
}

impl Wanted {
    /// Whether it names no words.
    pub fn names_none(&self) -> bool {
        self.goes.is_empty() && self.comes.is_empty()
    }

    pub fn of(to_do: &str) -> Self {
        let mut wanted = Self::default();
        let (mut sense, mut replaces, mut past) = (Sense::Neither, false, 0);
        for range in quoted_ranges(to_do) {
            let before = folded(to_do.get(past..range.start).unwrap_or_default());
            if has(&before, &CHOICES) {
                return Self::default();
            }
            replaces |= has(&before, &REPLACES);
            wanted.adds |= has(&before, &ADDS);
            sense = verb(&before).unwrap_or(sense);
            let quoted = to_do.get(range.clone()).unwrap_or_default();
            // A quotation with a gap, or with a place to fill in, stands nowhere word for word.
            let is_whole = !quoted.contains(['…', '[']) && !quoted.contains("...");
            let quoted = folded(quoted);
            past = range.end;
            match directly(&before, replaces).unwrap_or(sense) {
                _ if quoted.is_empty() || !is_whole => {}
                Sense::Goes => wanted.goes.push(quoted),
                Sense::Comes => wanted.comes.push(quoted),
                Sense::Neither => {}
            }
        }
        if has(&folded(to_do.get(past..).unwrap_or_default()), &CHOICES) { Self::default() } else { wanted }
    }
}

fn has(words: &[String], list: &[&str]) -> bool {
    words.iter().any(|word| list.contains(&word.as_str()))
}

/// The sense that the last verb gives to the quotation after it.
fn verb(before: &[String]) -> Option<Sense> {
    let at = before.iter().rposition(|word| GOES.contains(&word.as_str()) || COMES.contains(&word.as_str()))?;
    let denied = has(before.get(..at).unwrap_or_default(), &DENIES);
    Some(match (has(before.get(at..=at).unwrap_or_default(), &COMES), denied) {
        (true, false) => Sense::Comes,
        (false, true) => Sense::Neither,
        _ => Sense::Goes,
    })
}

/// The sense that the word directly before a quotation gives to it, whatever the verb.
fn directly(before: &[String], replaces: bool) -> Option<Sense> {
    let words: Vec<&str> = before.iter().map(String::as_str).collect();
    match words.as_slice() {
        [.., "instead" | "place", "of"] | [.., "rather", "than"] => Some(Sense::Goes),
        [.., last] if DENIES.contains(last) => Some(Sense::Goes),
        [.., last] if WITH.contains(last) => Some(if replaces { Sense::Comes } else { Sense::Neither }),
        [.., last] if POINTS.contains(last) => Some(Sense::Neither),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words to go, then the words to come.
    fn wanted(to_do: &str) -> (String, String) {
        let joined = |all: &[Vec<String>]| all.iter().map(|words| words.join(" ")).collect::<Vec<_>>().join(", ");
        let wanted = Wanted::of(to_do);
        (joined(&wanted.goes), joined(&wanted.comes))
    }

    fn is(to_do: &str, goes: &str, comes: &str) {
        assert_eq!(wanted(to_do), (goes.to_owned(), comes.to_owned()), "{to_do}");
    }

    #[test]
    fn the_verb_says_whether_words_go_or_come() {
        is("Delete “all of it”.", "all of it", "");
        is("Write “1.4 miles”, as the minutes say.", "", "1.4 miles");
        is("Add “Ms Okafor was excused.”", "", "ms okafor was excused");
        assert!(Wanted::of("Add “Ms Okafor was excused.”").adds && !Wanted::of("Say “in spring”.").adds);
        is("Please say 'in spring' instead.", "", "in spring");
        is("Remove “very” and “quite”; say “Ms Marchand”.", "very, quite", "ms marchand");
        is("Do not say “unanimous”.", "unanimous", "");
        is("Don’t delete “most of it”.", "", "");
    }

    #[test]
    fn one_thing_in_the_place_of_another() {
        is("Replace “Dennis” with “Denise”.", "dennis", "denise");
        is("Correct the sum to “1.2 million”.", "", "1.2 million");
        is("Replace “A” with “B” and replace “C” with “D”.", "a, c", "b, d");
        is("Replace “May” in “begins in May” with “June”.", "may", "june");
        is("Write “four to two” instead of “unanimously”.", "unanimously", "four to two");
        is("Use “told”, not “claimed”.", "claimed", "told");
        is(
            "Put “councilor” in place of “alderman”, and “says” rather than “said”.",
            "alderman, said",
            "councilor, says",
        );
    }

    #[test]
    fn a_place_an_example_and_a_choice_want_no_words() {
        is("Name the mayor after “the council voted”.", "", "");
        is("Say in the sentence with “in April” who decided.", "", "");
        is("Say that the month is open, for example “in spring”.", "", "");
        is("Say “about a fifth” or “some 20 percent”.", "", "");
        is("Remove “in April”, or name who said so.", "", "");
        is("Add “Ms” to “Okafor”.", "", "ms");
        is("Attribute “a great day” to the chair.", "", "");
        is("Make it livelier.", "", "");
        is("Delete “…”.", "", "");
        is("Write “the council voted … in spring”, said “[name]”.", "", "");
        is("Delete “the council ... in April”.", "", "");
    }
}
