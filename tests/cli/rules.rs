//! The documentation of the proof's rules is what the rules say of themselves.

use copydesk::proof;

#[test]
fn the_documentation_lists_every_rule_as_it_is() {
    let page = include_str!("../../docs/reference/rules.md").replace(',', "");
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    for rule in proof::rules() {
        let name = format!("`{}`", rule.name);
        let row =
            rows.iter().find(|row| row[0] == name).unwrap_or_else(|| panic!("docs/reference/rules.md: no {name}"));
        let concern_type = serde_json::to_value(rule.concern_type).unwrap();
        assert_eq!((row[2], row[3]), (concern_type.as_str().unwrap(), rule.gravity.name()), "{name}");
        match &rule.measured {
            Some(measured) => assert!(row[4].starts_with(&format!("{} of {}", measured.right, measured.of)), "{name}"),
            None => assert!(matches!(row[4], "–" | "not measured"), "{name}"),
        }
    }
    assert_eq!(rows.len(), proof::rules().count(), "docs/reference/rules.md lists a rule that is gone");
}
