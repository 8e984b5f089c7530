//! `occurrence`: how often a pattern may, or must, stand in a stretch.

use super::{
    fields::Fields,
    page::STAND_IN,
    pattern::{GivenUp, Pattern, PatternBudget},
    stretch::RuleMatch,
};

/// Counts the matches of its token.
#[derive(Debug, Clone)]
pub(super) struct Occurrence {
    pattern: Pattern,
    max: Option<usize>,
    min: Option<usize>,
}

impl Occurrence {
    pub fn read(fields: &Fields<'_>) -> Option<Self> {
        let ignore_case = fields.yes("ignorecase");
        let max = fields.whole("max");
        let min = fields.whole("min");
        fields.ignore(&["action"]);
        let (line, token) = fields.needed("token", "a pattern")?;
        if max.is_none() && min.is_none() {
            fields.missing("max", "max or min, a whole number above 0,");
        }
        let case = if ignore_case { "(?i)" } else { "" };
        Some(Self { pattern: fields.compile(line, &format!("{case}(?:{token})"))?, max, min })
    }

    /// One find for a stretch, at the first match.
    pub fn matches(&self, text: &str, patience: &PatternBudget) -> Result<Vec<RuleMatch>, GivenUp> {
        let matches = self.pattern.find_all(text, patience)?;
        let count = matches.len();
        if self.max.is_none_or(|max| count <= max) && self.min.is_none_or(|min| count >= min) {
            return Ok(Vec::new());
        }
        let values = vec![count.to_string()];
        if count == 0 {
            return Ok(vec![RuleMatch { range: 0..0, values, replacement: None }]);
        }
        let first = matches.into_iter().find(|range| {
            let text = text.get(range.clone()).unwrap_or_default();
            text.chars().any(|c| !c.is_whitespace() && c != STAND_IN)
        });
        Ok(first.into_iter().map(|range| RuleMatch { range, values: values.clone(), replacement: None }).collect())
    }
}
