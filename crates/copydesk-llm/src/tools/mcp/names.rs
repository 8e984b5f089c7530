//! The names under which tools are offered to a model.

use std::collections::{BTreeMap, BTreeSet};

/// Most characters of a name that every model server takes.
const LONGEST: usize = 64;

/// A tool's name in characters that every model server takes.
fn plain(name: &str) -> String {
    let valid = |c: char| if c.is_ascii_alphanumeric() || "_-".contains(c) { c } else { '_' };
    let name: String = name.chars().take(LONGEST).map(valid).collect();
    if name.is_empty() { "tool".to_owned() } else { name }
}

/// The name of each tool, given as server and own name. It is the tool's own name if no other has it. If one of `taken`
/// or of the others has it, it is `<server>__<tool>`, with a number behind that if even this is not enough.
pub(super) fn offered(tools: &[(&str, &str)], taken: &BTreeSet<String>) -> Vec<String> {
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    for (_, tool) in tools {
        *uses.entry(plain(tool)).or_default() += 1;
    }
    let mut given = taken.clone();
    let mut name_of = |(server, tool): &(&str, &str)| {
        let own = plain(tool);
        let long = plain(&format!("{server}__{tool}"));
        let alone = uses.get(&own).is_some_and(|uses| *uses == 1);
        let numbered = (2..).map(|number: usize| {
            let end = format!("_{number}");
            format!("{}{end}", long.chars().take(LONGEST - end.len()).collect::<String>())
        });
        let name = [own].into_iter().filter(|_| alone).chain([long.clone()]).chain(numbered);
        let name = name.into_iter().find(|name| !given.contains(name)).unwrap_or(long);
        given.insert(name.clone());
        name
    };
    tools.iter().map(&mut name_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_its_server_only_where_two_have_it() {
        let taken = BTreeSet::from(["fetch_content".to_owned()]);
        let tools = [("a", "search"), ("b", "search"), ("a", "fetch_content"), ("a", "read"), ("b", "list.all/x")];
        assert_eq!(offered(&tools, &taken), ["a__search", "b__search", "a__fetch_content", "read", "list_all_x"]);
    }

    #[test]
    fn every_name_is_valid_and_used_once() {
        let long = "x".repeat(100);
        let tools =
            [("a", ""), ("a", "é"), ("a", "ü"), ("a", "_"), ("b", &*long), ("b", &*long), ("a", "a b"), ("a", "a_b")];
        let names = offered(&tools, &BTreeSet::new());
        assert_eq!(names[..4], ["tool", "a___", "a____2", "a____3"]);
        let valid = |name: &String| {
            (1..=64).contains(&name.len()) && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c))
        };
        assert!(names.iter().all(valid), "{names:?}");
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    }
}
