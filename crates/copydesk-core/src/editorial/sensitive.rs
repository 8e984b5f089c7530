//! Detects a sensitive topic: by the story's desk, or by a word of its topic or of the draft that is kept.
//!
//! A phrase is found if its words stand in a row, each as it is written or in a form of it ([`bases`]): *abuse* finds *abused*, but
//! *abused* finds only itself. Sources are not read: a matter that a source mentions in passing, and the article leaves out, is no topic.

use std::collections::{BTreeSet, HashMap};

use crate::editorial::report;
use copydesk_newsroom::Journal;
use copydesk_text::{
    inflection::bases,
    words::{fold, words},
};

/// The sensitive matters found, for an editor: the desk, then words and phrases in the order of the configuration.
pub fn matters(journal: &Journal) -> Vec<String> {
    let sensitive = &journal.opening.settings.flags.sensitive;
    let is_it = |desk: &&str| sensitive.desks.iter().any(|one| fold(one.trim()) == fold(desk.trim()));
    let desk = journal.opening.desk.as_deref().filter(is_it).map(|desk| format!("the desk {desk}"));
    let phrases = standing(&sensitive.words, &texts(journal)).into_iter().map(|phrase| format!("“{phrase}”"));
    desk.into_iter().chain(phrases).collect()
}

/// The texts of a topic about itself, and the draft that is kept.
fn texts(journal: &Journal) -> Vec<&str> {
    let topic = &journal.opening.topic;
    let mut texts = vec![topic.source_metadata.topic_title.as_str(), &topic.source_metadata.video_title];
    texts.extend(topic.optional_angle.as_deref());
    if let Some(draft) = report::kept_draft(journal) {
        texts.extend(draft.article.fields().into_iter().map(|(_, text)| text));
    }
    texts
}

/// Those of `phrases` that stand in one of `texts`.
fn standing<'p>(phrases: &'p [String], texts: &[&str]) -> Vec<&'p str> {
    let wanted: Vec<Vec<String>> = phrases.iter().map(|phrase| plain(phrase)).collect();
    let mut by_first: HashMap<&str, Vec<usize>> = HashMap::new();
    for (place, first) in wanted.iter().enumerate().filter_map(|(place, phrase)| Some((place, phrase.first()?))) {
        by_first.entry(first).or_default().push(place);
    }
    let mut found = BTreeSet::new();
    // Without sensitive words no text is read.
    for text in texts.iter().filter(|_| !by_first.is_empty()) {
        let forms: Vec<Vec<String>> = plain(text).iter().map(|word| bases(word)).collect();
        for at in 0..forms.len() {
            let rest = forms.get(at..).unwrap_or_default();
            let begun = rest.first().into_iter().flatten().filter_map(|base| by_first.get(base.as_str())).flatten();
            let whole = |place: &&usize| {
                let phrase = wanted.get(**place).map(Vec::as_slice).unwrap_or_default();
                phrase.len() <= rest.len() && phrase.iter().zip(rest).all(|(word, forms)| forms.contains(word))
            };
            found.extend(begun.filter(whole).copied());
        }
    }
    found.into_iter().filter_map(|place| phrases.get(place)).map(String::as_str).collect()
}

/// The words of a text as they are compared: folded, without a possessive, those with a hyphen as their parts.
fn plain(text: &str) -> Vec<String> {
    let parts = |word: String| word.split('-').map(str::to_owned).collect::<Vec<_>>();
    let bare = |word: String| word.strip_suffix("'s").map(str::to_owned).unwrap_or(word);
    words(text).iter().flat_map(|word| parts(fold(word.text))).map(bare).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{add, article, opening};
    use copydesk_newsroom::{Draft, Opening, Outcome, Sensitive, Step};

    fn story(sensitive: Sensitive, desk: Option<&str>, body: &str) -> Journal {
        let mut opening = Opening { desk: desk.map(str::to_owned), ..opening() };
        opening.settings.flags.sensitive = sensitive;
        let mut journal = Journal::new(opening);
        let draft = Draft { article: article(body), stripped: vec![], undone: vec![] };
        add(&mut journal, Step::Draft, Outcome::Draft(draft));
        journal
    }

    fn words_of(list: &[&str], body: &str) -> Vec<String> {
        let words = list.iter().map(|word| (*word).to_owned()).collect();
        matters(&story(Sensitive { desks: vec![], words }, None, body))
    }

    #[test]
    fn a_desk_is_sensitive_whatever_its_case() {
        let courts = || Sensitive { desks: vec!["Courts".into(), "Crime".into()], words: vec![] };
        assert_eq!(matters(&story(courts(), Some("courts"), "Text.")), ["the desk courts"]);
        assert_eq!(matters(&story(courts(), Some("sport"), "Text.")), Vec::<String>::new());
        assert_eq!(matters(&story(courts(), None, "The courts sat.")), Vec::<String>::new());
    }

    #[test]
    fn a_word_is_found_whole_in_any_case_and_in_its_forms() {
        for body in ["She was Abused.", "They ABUSE it.", "Abuse’s end.", "A drug-abuse clinic.", "It is abusing us."]
        {
            assert_eq!(words_of(&["abuse"], body), ["“abuse”"], "{body}");
        }
        for body in ["She was disabused.", "An abusive man.", "The rap show."] {
            assert_eq!(words_of(&["abuse", "rape"], body), Vec::<String>::new(), "{body}");
        }
        assert_eq!(words_of(&["abused"], "They abuse it."), Vec::<String>::new(), "a form finds nothing but itself");
    }

    #[test]
    fn a_phrase_is_found_where_its_words_stand_in_a_row() {
        let list = ["self-harm", "child abuse", "abuse"];
        assert_eq!(
            words_of(&list, "Self harm is not; children abuse nothing."),
            ["“self-harm”", "“child abuse”", "“abuse”"]
        );
        assert_eq!(words_of(&list, "The child saw no abuse."), ["“abuse”"]);
        assert_eq!(words_of(&list, "A child"), Vec::<String>::new());
    }

    #[test]
    fn the_topic_is_read_and_its_sources_are_not() {
        let words = vec!["park".to_owned(), "council".to_owned(), "minutes".to_owned(), "gate".to_owned()];
        let mut journal = story(Sensitive { desks: vec![], words }, None, "Text.");
        assert_eq!(matters(&journal), ["“park”", "“minutes”"], "the source says: The council voted.");
        journal.opening.topic.optional_angle = Some("Who pays for the gates?".into());
        assert_eq!(matters(&journal), ["“park”", "“minutes”", "“gate”"]);
    }
}
