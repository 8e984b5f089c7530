//! The section `flags`.

use std::path::PathBuf;

use serde::Deserialize;

use super::fields::nullable;
use copydesk_newsroom::{Flag, FlagRules, Sensitive};
use copydesk_text::words::words;

/// `flags`: which stories a human should look at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "FlagKeys")]
pub struct Flags {
    /// The rules, without the words of the file.
    pub rules: FlagRules,
    /// `sensitive.word_list`: a file with more sensitive words, one a line; resolved against the workspace.
    pub word_list: Option<PathBuf>,
}

/// The section as it is written. Each of its first keys says whether a flag is raised.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the file")]
struct FlagKeys {
    rounds_used_up: bool,
    blocking_finding: bool,
    misleading_verdict: bool,
    accusation: bool,
    dead_letter: bool,
    conflicting_sources: bool,
    sensitive: SensitiveKeys,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SensitiveKeys {
    desks: Vec<String>,
    words: Vec<String>,
    #[serde(deserialize_with = "nullable")]
    word_list: Option<PathBuf>,
}

impl From<FlagKeys> for Flags {
    fn from(keys: FlagKeys) -> Self {
        let raised = [
            (keys.rounds_used_up, Flag::RoundsUsedUp),
            (keys.blocking_finding, Flag::QuotationUnproved),
            (keys.misleading_verdict, Flag::MisleadingOnPerson),
            (keys.accusation, Flag::Accusation),
            (keys.dead_letter, Flag::DeadLetter),
            (keys.conflicting_sources, Flag::SourcesConflict),
        ];
        let left_out = raised.into_iter().filter(|(is_raised, _)| !is_raised).map(|(_, flag)| flag).collect();
        let SensitiveKeys { desks, words, word_list } = keys.sensitive;
        Self { rules: FlagRules { left_out, sensitive: Sensitive { desks, words } }, word_list }
    }
}

/// Returns the words of a word list: one word or phrase a line; empty lines and text behind `#` are left out.
pub fn word_list(text: &str) -> Vec<String> {
    text.lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim())
        .filter(|line| !words(line).is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, path::Path};

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
        let flags = [
            ("rounds_used_up", Flag::RoundsUsedUp),
            ("blocking_finding", Flag::QuotationUnproved),
            ("misleading_verdict", Flag::MisleadingOnPerson),
            ("accusation", Flag::Accusation),
            ("dead_letter", Flag::DeadLetter),
            ("conflicting_sources", Flag::SourcesConflict),
        ];
        let changes = flags.map(|(key, _)| (format!("  {key}: true"), format!("  {key}: false")));
        let changes: Vec<(&str, &str)> = changes.iter().map(|(from, to)| (from.as_str(), to.as_str())).collect();
        let all = BTreeSet::from(flags.map(|(_, flag)| flag));
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
            ("    word_list: null", "    word_list: \"\"\n    regex: x"),
        ]);
        assert_eq!(
            problems.unwrap_err(),
            [
                "flags.dead_letter is missing; the template has true",
                "flags.rounds_used_up must be true or false",
                "flags.sensitive.desks[0] is empty",
                "flags.sensitive.word_list is empty",
                "flags.sensitive.regex is not a key of this section; its keys are desks, words, word_list",
            ]
        );
    }

    #[test]
    fn a_sensitive_text_without_a_word_is_a_problem() {
        let problems = read(&[("    words: []", "    words: [suicide, \"—\"]")]);
        assert_eq!(problems.unwrap_err(), ["flags.sensitive.words has \"—\", in which there is no word"]);
    }

    #[test]
    fn a_word_list_has_a_word_or_phrase_a_line() {
        assert_eq!(word_list("# ours\nsuicide # and its forms\n\n  child abuse\r\n — \n"), ["suicide", "child abuse"]);
        assert_eq!(word_list(""), Vec::<String>::new());
    }
}
