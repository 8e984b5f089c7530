//! Words behind a full stop, which tell whether it ends a sentence.

/// Words that begin a sentence and no name.
pub(super) const STARTERS: &str = "the it he she they we i you a an in on at but and this that there these those his her its their our \
     my as after before when while if for from since although though however according what who why how where not some many most more \
     all both each one two three another meanwhile also so then yet or because during despite under with by to about until nobody no \
     nothing police officials later earlier today yesterday asked last";

/// Verbs behind a name that give it the question or cry before it: `“Why?” Reyes asked.`
const ASKS: &str = "asked asks said says cried shouted wrote told added replied answered exclaimed wondered yelled joked quipped called";

/// Whether a list of words, with a blank between them, has a word.
pub(super) fn lists(list: &str, word: &str) -> bool {
    list.split(' ').any(|one| one == word)
}

/// Whether a name and a verb of asking stand at the head of what follows a question: then both are one sentence.
pub(super) fn is_asked(rest: &str) -> bool {
    for (at, word) in rest.split_whitespace().take(6).enumerate() {
        let bare = word.trim_end_matches([',', '.', ':']);
        if at > 0 && lists(ASKS, bare) {
            return true;
        }
        if !word.starts_with(char::is_uppercase) || word.ends_with(['.', '?', '!']) && word.chars().count() > 4 {
            return false;
        }
    }
    false
}

/// Whether a word names a day or a month.
pub(super) fn is_day(word: &str) -> bool {
    word.ends_with("day") && word.len() <= 9
        || lists("January February March April May June July August September October November December", word)
}
