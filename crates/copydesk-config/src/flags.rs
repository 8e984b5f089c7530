//! The section `flags`.

use std::path::{Path, PathBuf};

use super::reader::Section;
use copydesk_newsroom::{Flag, FlagRules, Sensitive};
use copydesk_text::words::words;

/// The flags that can be left out, with the key and its meaning.
const RULES: [(&str, Flag, &str); 6] = [
    ("rounds_used_up", Flag::RoundsUsedUp, "whether a story whose rounds are used up is flagged"),
    ("blocking_finding", Flag::QuotationUnproved, "whether a quotation that no source carries flags a story"),
    (
        "misleading_verdict",
        Flag::MisleadingOnPerson,
        "whether what misleads about a named person who may be living flags a story",
    ),
    (
        "accusation",
        Flag::Accusation,
        "whether an accusation against a person whom nobody asked for a reply flags a story",
    ),
    ("dead_letter", Flag::DeadLetter, "whether a failed step flags a story"),
    ("conflicting_sources", Flag::SourcesConflict, "whether sources that contradict each other flag a story"),
];

/// `flags`: which stories a human should look at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flags {
    /// The rules, without the words of the file.
    pub rules: FlagRules,
    /// `sensitive.word_list`: a file with more sensitive words, one a line.
    pub word_list: Option<PathBuf>,
}

/// Reads the section.
pub(super) fn read_flags(flags: &Section<'_>, workspace: &Path) -> Option<Flags> {
    let left_out =
        RULES.iter().filter(|(key, _, what)| !flags.yes_or_no(key, what)).map(|(_, flag, _)| *flag).collect();
    let (sensitive, word_list) = flags.section("sensitive", "the section of sensitive topics", |section| {
        let desks = section.texts_if_any("desks", "a list of newsroom desks, such as [courts]");
        let words = section.texts_if_any("words", "a list of words and phrases, such as [suicide, child abuse]");
        for text in words.iter().filter(|text| words_in(text) == 0) {
            section.problem("words", format!("holds {text:?}, in which there is no word"));
        }
        let file = section.text_or_null("word_list", "a file of words, one a line, such as ./config/sensitive.txt");
        (Sensitive { desks, words }, file.map(|file| workspace.join(file).components().collect()))
    })?;
    Some(Flags { rules: FlagRules { left_out, sensitive }, word_list })
}

/// How many words a text has.
fn words_in(text: &str) -> usize {
    words(text).len()
}

/// Returns the words of a word list: one word or phrase a line; empty lines and text behind `#` are left out.
#[must_use]
pub fn word_list(text: &str) -> Vec<String> {
    text.lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim())
        .filter(|line| words_in(line) > 0)
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{Settings, TEMPLATE, load};

    fn read(changes: &[(&str, &str)]) -> Result<Settings, Vec<String>> {
        let mut yaml = TEMPLATE.to_owned();
        for (from, to) in changes {
            assert_eq!(yaml.matches(from).count(), 1, "{from}");
            yaml = yaml.replace(from, to);
        }
        load(Path::new("config.yaml"), &yaml, Path::new("/desk"))
            .map_err(|error| error.problems.iter().map(|p| format!("{} {}", p.key, p.message)).collect())
    }

    #[test]
    fn the_template_leaves_no_flag_out_and_calls_nothing_sensitive() {
        let flags = read(&[]).unwrap().flags;
        let rules = FlagRules { left_out: BTreeSet::new(), sensitive: Sensitive::default() };
        assert_eq!(flags, Flags { rules, word_list: None });
    }

    #[test]
    fn each_key_leaves_its_flag_out() {
        let mut changes: Vec<(String, String)> = Vec::new();
        for (key, ..) in RULES {
            changes.push((format!("  {key}: true"), format!("  {key}: false")));
        }
        let changes: Vec<(&str, &str)> = changes.iter().map(|(from, to)| (from.as_str(), to.as_str())).collect();
        let all = BTreeSet::from(RULES.map(|(_, flag, _)| flag));
        assert_eq!(read(&changes).unwrap().flags.rules.left_out, all);
        assert_eq!(read(&changes[2..4]).unwrap().flags.rules, FlagRules::default(), "as before there were rules");
    }

    #[test]
    fn desks_and_words_make_a_topic_sensitive_and_a_file_may_have_more() {
        let flags = read(&[
            ("    desks: []", "    desks: [Courts]"),
            ("    words: []", "    words: [suicide, \"child abuse\"]"),
            ("    word_list: null", "    word_list: ./words.txt"),
        ]);
        let sensitive = Sensitive { desks: vec!["Courts".into()], words: vec!["suicide".into(), "child abuse".into()] };
        let flags = flags.unwrap().flags;
        assert_eq!((flags.rules.sensitive, flags.word_list), (sensitive, Some("/desk/words.txt".into())));
    }

    #[test]
    fn every_problem_of_the_section_is_reported() {
        let problems = read(&[
            ("  rounds_used_up: true", "  rounds_used_up: sometimes"),
            ("  dead_letter: true\n", ""),
            ("    desks: []", "    desks: [\"\"]"),
            ("    words: []", "    words: [suicide, \"—\"]"),
            ("    word_list: null", "    word_list: \"\"\n    regex: x"),
        ]);
        assert_eq!(
            problems.unwrap_err(),
            [
                "flags.dead_letter is missing; whether a failed step flags a story, true or false, belongs there",
                "flags.rounds_used_up is a text; whether a story whose rounds are used up is flagged, true or false, belongs there",
                "flags.sensitive.desks is a list; a list of newsroom desks, such as [courts], or [] if there are none, belongs there",
                "flags.sensitive.words holds \"—\", in which there is no word",
                "flags.sensitive.word_list is empty; null, or a file of words, one a line, such as ./config/sensitive.txt belongs there",
                "flags.sensitive.regex is not a key of this section; its keys are desks, words, word_list",
            ]
        );
    }

    #[test]
    fn a_word_list_has_a_word_or_phrase_a_line() {
        assert_eq!(word_list("# ours\nsuicide # and its forms\n\n  child abuse\r\n — \n"), ["suicide", "child abuse"]);
        assert_eq!(word_list(""), Vec::<String>::new());
    }
}
