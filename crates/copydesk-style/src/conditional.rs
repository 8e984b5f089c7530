//! `conditional`: where one thing stands, another must (an abbreviation, and what it is short for).

use std::collections::HashSet;

use super::{
    fields::Fields,
    pattern::{GivenUp, Pattern, PatternBudget, excepts},
    stretch::{RuleMatch, Stretch},
};

/// Looks for `first` that no `second` before it, or in the same stretch, has explained.
#[derive(Debug, Clone)]
pub(super) struct Conditional {
    first: Pattern,
    /// Its groups hold what it explains.
    second: Pattern,
    exceptions: Option<Pattern>,
}

impl Conditional {
    pub fn read(fields: &Fields<'_>) -> Option<Self> {
        let exceptions = fields.exceptions();
        fields.ignore(&["action", "ignorecase"]);
        let first = fields.needed("first", "a pattern of what needs the other");
        let second = fields.needed("second", "a pattern whose group is what it explains");
        let (first_line, first) = first?;
        let (second_line, second) = second?;
        let first = fields.compile(first_line, first);
        let second = fields.compile(second_line, second);
        Some(Self { first: first?, second: second?, exceptions })
    }

    pub fn matches(
        &self,
        stretches: &[Stretch<'_>],
        patience: &PatternBudget,
    ) -> Result<Vec<(usize, RuleMatch)>, GivenUp> {
        let mut explained: HashSet<String> = HashSet::new();
        let mut found = Vec::new();
        for (index, stretch) in stretches.iter().enumerate() {
            explained.extend(self.second.group_texts(stretch.text, patience)?);
            for range in self.first.find_all(stretch.text, patience)? {
                let written = stretch.text.get(range.clone()).unwrap_or_default();
                if explained.contains(written) || excepts(self.exceptions.as_ref(), written) {
                    continue;
                }
                found.push((index, RuleMatch { range, values: vec![written.to_owned()], replacement: None }));
            }
        }
        Ok(found)
    }
}
