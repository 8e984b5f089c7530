//! Words that news copy uses for the same thing.
//!
//! Reporters paraphrase: the source's pupils are students in the draft, and what rose went up. Shared words alone
//! would call each such sentence unsupported. The groups are general English and deliberately loose: they decide
//! which passage a sentence is about, never whether a quotation or a figure is right.

use std::sync::LazyLock;

use foldhash::HashMap;

use crate::words::list::WordGroups;
use copydesk_text::words::stem;

static GROUPS: WordGroups = WordGroups::new(include_str!("../../../../assets/words/thesaurus.txt"));

static REPRESENTATIVES: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let mut map = HashMap::default();
    for group in GROUPS.all() {
        let first = group.clone().next().unwrap_or_default();
        for word in group {
            map.entry(stem(word)).or_insert(first);
        }
    }
    map
});

/// The stem that `stem` is compared as: that of its group's first word, or itself.
pub fn canonical(stem: String) -> String {
    REPRESENTATIVES.get(&stem).map_or(stem, |word| format!("~{word}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paraphrase_meets_its_source() {
        let same = |one: &str, other: &str| canonical(stem(one)) == canonical(stem(other));
        assert!(same("pupils", "students") && same("rose", "increased") && same("dropped", "falling"));
        assert!(!same("rose", "fell") && !same("park", "pond"));
    }
}
