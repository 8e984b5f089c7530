//! The quality of the proof's rules, as tables for a person, as one JSON object for a program.

use super::table::{plain, trimmed};
use crate::{proof::Scores, text::sanitise};

/// The scores as one JSON object.
///
/// # Errors
/// If they cannot be written as JSON, which their types rule out.
pub fn scores_json(scores: &Scores) -> serde_json::Result<String> {
    serde_json::to_string(scores)
}

/// The scores as tables: the files with their mean, the same for each of `graver`, the rules.
#[must_use]
pub fn scores_tables(scores: &Scores, graver: &[Scores]) -> String {
    let mut tables: Vec<String> = std::iter::once(scores).chain(graver).map(files_table).collect();
    tables.push(rules_table(scores));
    tables.join("\n\n")
}

fn files_table(scores: &Scores) -> String {
    let level = format!("rules from {} on", scores.level);
    let mut files = plain(&[level.as_str(), "texts", "balanced accuracy", "precision", "recall"]);
    for (name, file) in &scores.files {
        let row = [
            sanitise::excerpt(name, 60),
            file.n.to_string(),
            percent(Some(file.balanced_accuracy)),
            percent(file.precision),
            percent(file.recall),
        ];
        files.add_row(row);
    }
    let mean = percent(Some(scores.mean_balanced_accuracy));
    files.add_row(["mean", "", mean.as_str(), "", ""]);
    trimmed(&files)
}

fn rules_table(scores: &Scores) -> String {
    let mut rules = plain(&["rule", "gravity", "fires", "right", "precision", "adds"]);
    for (name, rule) in &scores.rules {
        let adds = format!("{:+.2}", rule.adds * 100.0);
        rules.add_row([
            name.clone(),
            rule.gravity.to_owned(),
            rule.fires.to_string(),
            rule.right.to_string(),
            percent(rule.precision),
            adds,
        ]);
    }
    trimmed(&rules)
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{:.1}", share * 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::{FileScore, RuleScore};

    #[test]
    fn the_tables_say_what_each_file_and_each_rule_comes_to() {
        let file = FileScore { n: 12, balanced_accuracy: 0.725, precision: None, recall: Some(0.5) };
        let rule = RuleScore { gravity: "note", fires: 4, right: 3, precision: Some(0.75), adds: -0.0125 };
        let scores = Scores {
            level: "note",
            files: [("podcast".to_owned(), file)].into(),
            mean_balanced_accuracy: 0.725,
            rules: [("name.swapped".to_owned(), rule)].into(),
        };
        let said = scores_tables(&scores, &[Scores { level: "block", ..Scores::clone(&scores) }]);
        let words: Vec<String> =
            said.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(
            words,
            [
                "rules from note on texts balanced accuracy precision recall",
                "podcast 12 72.5 – 50.0",
                "mean 72.5",
                "",
                "rules from block on texts balanced accuracy precision recall",
                "podcast 12 72.5 – 50.0",
                "mean 72.5",
                "",
                "rule gravity fires right precision adds",
                "name.swapped note 4 3 75.0 -1.25"
            ]
        );
        assert_eq!(
            scores_json(&scores).unwrap(),
            "{\"level\":\"note\",\"files\":{\"podcast\":{\"n\":12,\"balanced_accuracy\":0.725,\"precision\":null,\"recall\":0.5}},\
             \"mean_balanced_accuracy\":0.725,\"rules\":{\"name.swapped\":{\"gravity\":\"note\",\"fires\":4,\"right\":3,\"precision\":0.75,\
             \"adds\":-0.0125}}}"
        );
    }
}
