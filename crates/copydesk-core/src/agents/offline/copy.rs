//! Decides whether a sentence can be printed by itself: it has a verb, an end and its own subject, and is not an aside.

use std::ops::Range;

use copydesk_text::{
    sentences::sentences,
    words::{fold, is_stop_word, words},
};

/// Words that point back to the sentence before.
const BACK: &str = "he she it they his her its their this that these those but and so or however then there also instead such \
                    therefore both neither nor yet still another other others one later meanwhile for here asked in which who of \
                    it's that's he's she's they're it'll they'll not because yes no well if even most none all some many several only";

/// Words that point back only if a certain word follows: `In reply`, `One of them`.
const SOMETIMES: &str = "in of for one other another others later there both not because if even most none all some many several no such \
                         instead only";

/// Nouns that, after `the`, refer to something mentioned before.
const TOLD: &str = "amendment motion rest same others other latter former second request answer target question number";

/// Verbs of saying.
const SAYING: &str = "said says asked wrote told replied answered added adds called stated noted put confirmed spoke";

/// Words that may begin a turn, because its label names the speaker.
const OWN: &str = "i i'm i've i'd i'll we we're we've we'll we'd my our";

/// Whether a list of words, in one string, has this one.
pub(super) fn is_in(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|one| one == word)
}

/// The folded words of a text.
pub(super) fn folded(text: &str) -> Vec<String> {
    words(text).iter().map(|word| fold(word.text)).collect()
}

/// Words that count or choose among people or things mentioned before: `Both were hurt`, `One was killed`.
const AMONG: &str = "one other another others both most none all some many several";

/// Verbs that follow them in that use.
const AUXILIARY: &str = "is are was were has have had will would can could may might did do does of";

/// Days and months: they have a capital but are not names.
pub(super) const CALENDAR: &str = "january february march april may june july august september october november december monday tuesday \
                        wednesday thursday friday saturday sunday";

/// Whether a sentence needs the one before it.
pub(super) fn leans_back(sentence: &str) -> bool {
    if sentence.starts_with(['“', '"']) {
        // "We won," said Ada Poe: the speaker follows the quotation.
        return !(attributed(sentence) && names_somebody(&unquoted(sentence)));
    }
    let answer = ["No,", "Yes,", "No:", "Well,", "No.", "Yes."].iter().any(|word| sentence.starts_with(word));
    if answer || sentence.starts_with(['‘', '(']) || orphaned(sentence) {
        return true;
    }
    let heads: Vec<String> = words(sentence).iter().take(4).map(|word| fold(word.text)).collect();
    let head = |at: usize| heads.get(at).map_or("", String::as_str);
    if heads.windows(2).any(|pair| matches!(pair, [of, them] if of == "of" && is_in("them these those which it", them)))
    {
        return true;
    }
    if heads.iter().take(3).any(|word| is_in("they them", word)) {
        return true;
    }
    if is_in(AMONG, head(0)) {
        return is_in(AUXILIARY, head(1)) && !(head(1) == "of" && head(2) == "the");
    }
    if is_in(SOMETIMES, head(0)) {
        let back = "these them this that addition his its their it those so then such they he she reply answer";
        return is_in(back, head(1)) && !(is_in("if because there", head(0)) && is_in("his its their it", head(1)))
            || head(0) == "instead" && head(1) != "of";
    }
    is_in(BACK, head(0)) || is_in(OWN, head(0)) || head(0) == "the" && is_in(TOLD, head(1)) && head(2) != "of"
}

/// Whether a text names a person or a thing.
fn names_somebody(text: &str) -> bool {
    words(text).iter().any(|word| word.text.starts_with(char::is_uppercase) && !is_in(CALENDAR, &fold(word.text)))
}

/// The position, in words, of the first `he` or `she` of a text, and that of its first name. A name is a word with a capital that is not
/// a day or month and has no `the` before it, which marks a thing.
fn persons(text: &str) -> (Option<usize>, Option<usize>) {
    let plain = unquoted(text);
    let list = words(&plain);
    let pronoun = list.iter().position(|word| matches!(fold(word.text).as_str(), "he" | "she" | "him" | "her"));
    let mut thing = false;
    let mut name = None;
    for (at, word) in list.iter().enumerate() {
        let folded = fold(word.text);
        let capital = word.text.starts_with(char::is_uppercase) && !is_in(CALENDAR, &folded);
        let next = list.get(at + 1).map(|next| next.text).unwrap_or_default();
        let begins = at > 0 || next.starts_with(char::is_uppercase) || is_in(SAYING, &fold(next));
        if capital && !thing && begins && !is_stop_word(&folded) {
            name = Some(at);
            break;
        }
        thing = folded == "the" || thing && capital;
    }
    (pronoun, name)
}

/// Whether a sentence says `he` or `she` before it names a person.
fn orphaned(sentence: &str) -> bool {
    let (pronoun, name) = persons(sentence);
    pronoun.is_some_and(|at| name.is_none_or(|name| name > at))
}

/// The number of sentences, from the first, in which every `he` or `she` is named before.
pub(super) fn introduced<'t>(sentences: impl Iterator<Item = &'t str>) -> usize {
    let mut named = false;
    sentences
        .take_while(|sentence| {
            let fine = named || !orphaned(sentence);
            named |= persons(sentence).1.is_some();
            fine
        })
        .count()
}

/// Whether a sentence of a turn needs the sentence before. Its speaker may be its subject.
pub(super) fn leans_in_turn(sentence: &str, answers: bool) -> bool {
    // If a speaker reads out a letter, the label names that speaker, in spite of the letter's quotation marks.
    let sentence = if balanced(sentence) { sentence.trim_start_matches(['“', '"']) } else { sentence };
    let list = folded(sentence);
    let first = list.first().map_or("", String::as_str);
    let dangling = list.last().is_some_and(|last| is_in("it that them so then one me", last));
    let elliptic = list.last().is_some_and(|last| is_in("does did do will would has too either", last));
    let own = is_in(OWN, first);
    elliptic || answers && dangling || leans_back(sentence) && (!own || sentence.starts_with('('))
}

/// Whether every quotation is closed.
pub(super) fn balanced(text: &str) -> bool {
    text.matches('“').count() == text.matches('”').count() && text.matches('"').count().is_multiple_of(2)
}

/// A text with its quotations blanked.
pub(super) fn unquoted(text: &str) -> String {
    let mut quoted = false;
    let blank = |c: char| {
        quoted = match c {
            '“' => true,
            '”' => false,
            '"' => !quoted,
            _ => quoted,
        };
        if quoted { ' ' } else { c }
    };
    text.chars().map(blank).collect()
}

/// Whether the text has a first or second person outside quotation marks.
pub(super) fn speaks(text: &str) -> bool {
    folded(&unquoted(text))
        .iter()
        .any(|word| is_in(OWN, word) || is_in("you your us me mine ours yours you'll you're", word))
}

/// Whether a stretch that quotes says who speaks: by a verb of saying outside the marks, or by a name before a colon.
pub(super) fn attributed(text: &str) -> bool {
    let plain = unquoted(text);
    let named = plain.split_once(':').is_some_and(|(head, _)| {
        let heads = words(head);
        heads.iter().skip(1).any(|word| word.text.starts_with(char::is_uppercase))
    });
    !text.contains(['“', '"']) || named || folded(&plain).iter().any(|word| is_in(SAYING, word))
}

/// The sentences before the first quotation.
pub(super) fn without_quotations(text: &str) -> String {
    let plain: Vec<Range<usize>> = sentences(text)
        .into_iter()
        .take_while(|range| text.get(range.clone()).is_some_and(|sentence| !sentence.contains(['“', '"'])))
        .collect();
    text.get(..plain.last().map_or(0, |range| range.end)).unwrap_or_default().to_owned()
}

/// Whether a text is a question.
pub(super) fn is_question(text: &str) -> bool {
    text.trim_end_matches(['”', '"', ' ', '’', ')']).ends_with('?')
}

/// Whether a text has a main verb or gives the result of a vote. A clerk's fragment has neither.
pub(super) fn has_verb(text: &str) -> bool {
    // A pronoun as subject has a verb after it, whatever the verb is.
    const PRONOUNS: &str = "i you he she it we they it's that's i'd i'll i'm i've we'll we've there's";
    const VERBS: &str = "is are was were has have had will would can could may might must do does did said says gave got went \
                         came made took told found rose fell grew paid met led won lost held kept left ran saw began became \
                         brought built bought sold sent set put cut hit spoke wrote bit costs runs takes makes gets gives shows \
                         goes begins starts leaves stays walks opens closes depends meets moves";
    let list = words(text);
    let folded: Vec<String> = list.iter().map(|word| fold(word.text)).collect();
    // "issued by the district", ", asked by Tanager": these participles are not the main verb.
    let passive = |at: usize| folded.get(at + 1).is_some_and(|next| next == "by");
    is_tally(text)
        || folded.iter().enumerate().any(|(at, word)| {
            is_in(VERBS, word)
                || word.ends_with("n't")
                || is_in(PRONOUNS, word)
                || at > 0 && word.len() > 4 && word.ends_with("ed") && !passive(at)
        })
}

/// Whether a text gives the result of a vote, with or without a verb: `188 for, 251 against`, `The vote: 4–3`.
pub(super) fn is_tally(text: &str) -> bool {
    let list = folded(text);
    let has = |word: &str| list.iter().any(|own| own == word);
    let digits = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
    let numbers = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '.' | ':'));
    let score = numbers.filter_map(|part| part.split_once(['–', '-'])).any(|(a, b)| digits(a) && digits(b));
    score && (has("vote") || has("voted") || has("motion"))
        || has("for") && has("against") && list.iter().filter(|word| digits(word)).count() > 1
}

/// Whether a text lists who voted how: `In favor: …`, `Yes: …`.
pub(super) fn is_roll(text: &str) -> bool {
    let Some((head, rest)) = text.split_once(':') else { return false };
    let head = head.trim().to_lowercase();
    is_in(
        "favor favour opposed yes no ayes aye noes nays nay for against abstained abstaining",
        head.trim_start_matches("in "),
    ) && !rest.contains(['“', '"'])
}

/// Whether a stretch is running text that can be printed: whole sentences, and not a heading, a list or a clerk's note.
pub(super) fn is_copy(text: &str) -> bool {
    let list: Vec<_> =
        words(text).into_iter().filter(|word| !word.text.starts_with(|c: char| c.is_ascii_digit())).collect();
    let lower = list.iter().filter(|word| word.text.starts_with(char::is_lowercase)).count();
    let ends = text.trim_end().ends_with(['.', '!', '”', '"', '’', ')']);
    let marked = text.starts_with(['#', '>', '-', '*', '[', '|', '•', '+', '=']) || text.contains(['[', '|', '<']);
    let numbered = text.starts_with(|c: char| c.is_ascii_digit());
    list.len() >= 5 && (lower * 3 >= list.len() || is_tally(text)) && has_verb(text) && ends && !marked && !numbered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_points_back_cannot_stand_alone() {
        for back in [
            "It costs $5.",
            "In reply he laughed.",
            "The amendment failed, 3–4.",
            "No, we cannot.",
            "All of them left.",
            "Both were hurt.",
            "The frost cost her a crop.",
            "“Late,” she said.",
        ] {
            assert!(leans_back(back), "{back}");
        }
        for stands in [
            "In May the town built it.",
            "The amendment of 1911 stands.",
            "No cyclist was killed.",
            "If it rains, the fair moves.",
            "Instead of a gala there will be cake.",
            "“Late,” said Ada Poe.",
            "Roth said she would stay.",
        ] {
            assert!(!leans_back(stands), "{stands}");
        }
        assert!(leans_back("We will rebuild."));
        assert!(!leans_in_turn("We will rebuild.", true));
        assert!(leans_in_turn("I would not do that.", true));
    }

    #[test]
    fn nobody_is_he_or_she_who_was_not_named() {
        let told = |list: &[&str]| introduced(list.iter().copied());
        assert_eq!(told(&["Bids close on Friday.", "Asked about the Old Bridge, she said it was safe."]), 1);
        assert_eq!(told(&["Ada Roth called for bids.", "“We need one,” she said."]), 2);
    }

    #[test]
    fn a_vote_needs_no_verb_and_a_fragment_has_none() {
        assert!(has_verb("The vote: 4–3, at 9:52 p.m."));
        assert!(has_verb("On the motion to limit pay: 188 for, 251 against."));
        assert!(!has_verb("STATEMENT issued by the district on Monday."));
        assert!(is_roll("In favor: Roth, Quill.") && is_roll("No: Svoboda."));
    }
}
