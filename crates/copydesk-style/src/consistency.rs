//! `consistency`: one of two ways to write a thing, never both in one article.

use super::{
    fields::Fields,
    pattern::{self, GivenUp, Pattern, PatternBudget},
    stretch::{RuleMatch, Stretch},
};

/// Looks for both of each pair.
#[derive(Debug, Clone)]
pub(super) struct Consistency {
    /// Patterns with a group for either way.
    pairs: Vec<Pattern>,
}

impl Consistency {
    pub fn read(fields: &Fields<'_>) -> Option<Self> {
        let ignore_case = fields.yes("ignorecase");
        let nonword = fields.yes("nonword");
        fields.ignore(&["action"]);
        let either = fields.pairs("either", "a section of pairs, one way and the other,");
        if either.is_empty() {
            fields.missing("either", "a section of pairs, one way and the other,");
            return None;
        }
        let pairs = either.into_iter().map(|(line, one, other)| {
            let ways = [format!("(?P<one>{one})"), format!("(?P<other>{other})")];
            fields.compile(line, &pattern::words(&ways, nonword, ignore_case))
        });
        Some(Self { pairs: pairs.collect::<Option<Vec<_>>>()? })
    }

    /// If both ways have been met by the end of a stretch, it has a find at its last match.
    pub fn matches(
        &self,
        stretches: &[Stretch<'_>],
        patience: &PatternBudget,
    ) -> Result<Vec<(usize, RuleMatch)>, GivenUp> {
        let mut found = Vec::new();
        for pattern in &self.pairs {
            let (mut one, mut other) = (false, false);
            for (index, stretch) in stretches.iter().enumerate() {
                let mut last = None;
                for (way, range) in pattern.find_named(stretch.text, patience)? {
                    if stretch.is_exempt(&range) {
                        continue;
                    }
                    one |= way == 0;
                    other |= way == 1;
                    last = Some(range);
                }
                if let Some(range) = last.filter(|_| one && other) {
                    let written = stretch.text.get(range.clone()).unwrap_or_default().to_owned();
                    found.push((index, RuleMatch { range, values: vec![written], replacement: None }));
                }
            }
        }
        found.sort_by_key(|(index, found)| (*index, found.range.start));
        Ok(found)
    }
}
