//! The persons whom a draft accuses, so that no person is accused in print without being asked for a reply.
//!
//! A rule of words: a sentence that names a person who may be living, and has a word of `assets/words/accusing.txt` in any form, accuses
//! every person whom it names. So it also names the accuser, a person whom the sentence clears, and a lawyer. It misses an accusation in other
//! words, and one whose sentence has only a pronoun. It reads English only. How often it is right was not measured.

use std::{collections::HashSet, sync::LazyLock};

use crate::editorial::{flags::Living, report};
use copydesk_newsroom::{Flag, Journal};
use copydesk_text::{
    inflection::bases,
    same_person,
    sentences::sentences,
    words::{fold, words},
};

static ACCUSING: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let lines = include_str!("../../../../assets/words/accusing.txt").lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace).collect()
});

/// The persons whom the standing draft accuses, each once, as first written. Empty if the run does not flag that.
pub fn accused(journal: &Journal, living: Living) -> Vec<String> {
    let is_raised = journal.opening.settings.flags.raise(Flag::Accusation);
    let Some(draft) = report::standing_draft(journal).filter(|_| is_raised) else { return Vec::new() };
    let fields = draft.article.fields();
    // Each sentence a paragraph of its own, read once: no name goes from one to the next.
    let mut accusing = String::new();
    for (_, field) in fields {
        for sentence in sentences(field).into_iter().filter_map(|sentence| field.get(sentence)) {
            if accuses(sentence) {
                accusing.extend([sentence, "\n\n"]);
            }
        }
    }
    if accusing.is_empty() {
        return Vec::new();
    }
    let texts: Vec<&str> = fields.iter().map(|(_, text)| *text).chain(journal.texts().map(|(_, text)| text)).collect();
    let mut accused: Vec<String> = Vec::new();
    for name in living(&accusing, &texts) {
        if !accused.iter().any(|known| same_person(known, &name)) {
            accused.push(name);
        }
    }
    accused
}

/// Whether a sentence has a word of accusation.
pub(super) fn accuses(sentence: &str) -> bool {
    words(sentence).iter().any(|word| bases(&fold(word.text)).iter().any(|base| ACCUSING.contains(base.as_str())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::{add, article, opening};
    use copydesk_newsroom::{Draft, FlagRules, Outcome, Sensitive, Step};
    use copydesk_proof as proof;

    fn found(body: &str, source: &str) -> Vec<String> {
        let mut opening = opening();
        opening.settings.flags =
            FlagRules { left_out: std::collections::BTreeSet::new(), sensitive: Sensitive::default() };
        opening.topic.source_text = source.into();
        let mut journal = Journal::new(opening);
        let draft = Draft { article: article(body), stripped: vec![], undone: vec![] };
        add(&mut journal, Step::Draft, Outcome::Draft(draft));
        accused(&journal, proof::living)
    }

    #[test]
    fn who_is_named_beside_a_word_that_accuses_is_accused() {
        for (body, names) in [
            ("Prosecutors say Ann Lee embezzled the money.", &["Ann Lee"][..]),
            ("Ann Lee was bribed. Lee denies it. Fraud is common.", &["Ann Lee"]),
            ("Ann Lee accuses Bob Ray of theft.", &["Ann Lee", "Bob Ray"]),
            ("Ann Lee opened the park. Fraud is common.", &[]),
            ("The city was robbed of its park.", &[]),
            ("Ann Lee lies on the beach.", &["Ann Lee"]),
        ] {
            assert_eq!(found(body, "Ann Lee spoke."), names, "{body}");
        }
        assert_eq!(found("Ann Lee embezzled the money.", "The late Ann Lee spoke."), Vec::<String>::new());
    }

    #[test]
    fn a_desk_that_does_not_want_it_is_not_told() {
        let mut journal = Journal::new(opening());
        let draft = Draft { article: article("Ann Lee stole it."), stripped: vec![], undone: vec![] };
        add(&mut journal, Step::Draft, Outcome::Draft(draft));
        assert_eq!(accused(&journal, proof::living), Vec::<String>::new(), "a run from before there was the rule");
        assert_eq!(found("Ann Lee stole it.", "Ann Lee spoke."), ["Ann Lee"], "one that wants it");
    }

    #[test]
    fn the_list_has_words_of_a_dictionary() {
        for word in ACCUSING.iter() {
            assert!(word.chars().all(|c| c.is_ascii_lowercase()), "{word}");
            assert_eq!(fold(word), **word);
        }
    }
}
