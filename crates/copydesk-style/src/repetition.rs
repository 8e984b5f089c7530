//! `repetition`: the same token twice in a row.

use super::{
    fields::Fields,
    page::STAND_IN,
    pattern::{GivenUp, Pattern, PatternBudget, excepts},
    stretch::RuleMatch,
};

/// Looks for a match that is the same as the one before it.
#[derive(Debug, Clone)]
pub(super) struct Repetition {
    pattern: Pattern,
    exceptions: Option<Pattern>,
    /// More repetitions than these in a row are one find.
    max: usize,
    ignore_case: bool,
    /// Letters only.
    alpha: bool,
}

impl Repetition {
    pub fn read(fields: &Fields<'_>) -> Option<Self> {
        let ignore_case = fields.yes("ignorecase");
        let alpha = fields.yes("alpha");
        let max = fields.whole("max").unwrap_or(0);
        let exceptions = fields.exceptions();
        fields.ignore(&["action"]);
        let tokens = fields.texts("tokens", "a list of patterns");
        if tokens.is_empty() {
            fields.missing("tokens", "a list of patterns");
            return None;
        }
        fields.check_each(tokens.iter().map(|(line, token)| (*line, token.as_str())))?;
        let line = tokens.first().map_or(1, |(line, _)| *line);
        let tokens: Vec<String> = tokens.into_iter().map(|(_, token)| token).collect();
        // Case is nothing to a class such as `\s`, and `(?i)` costs 50 ms there: each letter of the world is looked up.
        let letters = |token: &String| token.replace("\\s", "").replace("\\w", "").contains(char::is_alphabetic);
        let case = if ignore_case && tokens.iter().any(letters) { "(?i)" } else { "" };
        let pattern = fields.compile(line, &format!("{case}({})", tokens.join("|")))?;
        Some(Self { pattern, exceptions, max, ignore_case, alpha })
    }

    pub fn matches(&self, text: &str, patience: &PatternBudget) -> Result<Vec<RuleMatch>, GivenUp> {
        let mut found = Vec::new();
        let mut before: Option<(String, usize)> = None;
        let mut count = 0;
        for range in self.pattern.find_all(text, patience)? {
            let written = text.get(range.clone()).unwrap_or_default().trim();
            let word = if self.ignore_case { written.to_lowercase() } else { written.to_owned() };
            let again = before.as_ref().filter(|(other, _)| {
                *other == word && !word.is_empty() && (!self.alpha || word.chars().all(char::is_alphabetic))
            });
            if let Some((_, start)) = again {
                count += 1;
                let both = *start..range.end;
                let whole = text.get(both.clone()).unwrap_or_default();
                let between = whole.contains(['\n', STAND_IN]);
                if count > self.max && !between && !excepts(self.exceptions.as_ref(), whole) {
                    let replacement = (self.max == 0).then(|| written.to_owned());
                    found.push(RuleMatch { range: both, values: vec![written.to_owned()], replacement });
                    count = 0;
                }
            }
            before = Some((word, range.start));
        }
        Ok(found)
    }
}
