//! `existence`: words that should not be there.

use super::{
    fields::Fields,
    pattern::{self, GivenUp, Pattern, PatternBudget},
    stretch::RuleMatch,
};

/// Looks for any of its tokens.
#[derive(Debug, Clone)]
pub(super) struct Existence {
    pattern: Pattern,
    exceptions: Option<Pattern>,
    /// The words that `action` puts instead of a match; empty if it takes it out.
    replacement: Option<String>,
}

impl Existence {
    pub fn read(fields: &Fields<'_>) -> Option<Self> {
        let ignore_case = fields.yes("ignorecase");
        let nonword = fields.yes("nonword");
        let append = fields.yes("append");
        let mut tokens = fields.texts("tokens", "a list of words or patterns");
        tokens.retain(|(_, token)| !token.trim().is_empty());
        let raw = fields.texts("raw", "a list of patterns, put together as they stand");
        let exceptions = fields.exceptions();
        let replacement = match fields.action() {
            Some((name, _)) if name == "remove" => Some(String::new()),
            Some((name, params)) if name == "replace" && params.len() == 1 => Some(params.concat()),
            _ => None,
        };
        if tokens.is_empty() && raw.is_empty() {
            fields.missing("tokens", "a list of words or patterns");
            return None;
        }
        fields.check_each(tokens.iter().map(|(line, token)| (*line, token.as_str())))?;
        let line = raw.first().or(tokens.first()).map_or(1, |(line, _)| *line);
        let nonword = nonword || tokens.is_empty();
        let tokens: Vec<String> = tokens.into_iter().map(|(_, token)| token).collect();
        let raw: String = raw.into_iter().map(|(_, part)| part).collect();
        let words = pattern::words(&tokens, nonword, false);
        let case = if ignore_case { "(?i)" } else { "" };
        let source = if append { format!("{case}{words}{raw}") } else { format!("{case}{raw}{words}") };
        Some(Self { pattern: fields.compile(line, &source)?, exceptions, replacement })
    }

    pub fn matches(&self, text: &str, patience: &PatternBudget) -> Result<Vec<RuleMatch>, GivenUp> {
        let found = self.pattern.find_all(text, patience)?.into_iter().filter_map(|range| {
            let written = text.get(range.clone())?;
            if pattern::excepts(self.exceptions.as_ref(), written.trim()) {
                return None;
            }
            let replacement = self.replacement.clone();
            let instead = replacement.clone().unwrap_or_else(|| written.to_owned());
            Some(RuleMatch { range, values: vec![written.to_owned(), instead], replacement })
        });
        Ok(found.collect())
    }
}
