//! The patterns of footnotes and addresses, and the treatment of text that matches them.

use std::sync::LazyLock;

use regex::{Captures, Regex};

pub(super) static DEFINITION: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^ {0,3}\[\^([^\]\s]+)\]:[ \t]*(.*)$").ok());
pub(super) static REFERENCE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"[ \t]?\[\^([^\]\s]+)\]").ok());
pub(super) static LINK: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"!?\[([^\]]*)\]\([ \t]*<?([^)\s>]+)>?(?:[ \t]+["'(][^)]*)?\)"#).ok());
pub(super) static LINK_DEFINITION: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?m)^[ ]{0,3}\[[^\]^][^\]]*\]:[ \t]*\S+.*\n?").ok());
pub(super) static DOI: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)\b(?:doi:[ \t]*)?10\.\d{4,9}/[-._;()/:a-z0-9]*[a-z0-9]").ok());

pub(super) fn captures<'t>(regex: &LazyLock<Option<Regex>>, text: &'t str) -> Option<Captures<'t>> {
    regex.as_ref().and_then(|regex| regex.captures(text))
}

pub(super) fn group<'t>(found: &Captures<'t>, index: usize) -> &'t str {
    found.get(index).map_or("", |matched| matched.as_str())
}

/// Replaces each match for which `by` gives a text.
pub(super) fn replace(
    regex: &LazyLock<Option<Regex>>,
    text: &str,
    mut by: impl FnMut(&Captures<'_>) -> Option<String>,
) -> String {
    match regex.as_ref() {
        None => text.to_owned(),
        Some(regex) => regex
            .replace_all(text, |found: &Captures<'_>| by(found).unwrap_or_else(|| group(found, 0).to_owned()))
            .into_owned(),
    }
}

/// Label and text of each footnote definition.
pub(super) fn definitions(text: &str) -> impl Iterator<Item = (String, String)> {
    text.lines()
        .filter_map(|line| {
            captures(&DEFINITION, line).map(|found| (group(&found, 1).to_owned(), group(&found, 2).to_owned()))
        })
        .collect::<Vec<_>>()
        .into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_patterns_compile() {
        for regex in [&DEFINITION, &REFERENCE, &LINK, &LINK_DEFINITION, &DOI] {
            assert!(regex.is_some());
        }
    }
}
