//! `metric`: a formula over the article's body, such as a limit for a grade level.

use std::collections::HashMap;

use super::{
    fields::Fields,
    formula,
    page::{BlockKind, ProsePage},
    syllables,
};

/// Computes a formula and holds it against a condition.
#[derive(Debug, Clone)]
pub(super) struct Metric {
    formula: String,
    condition: String,
}

/// Vale's names for what is counted.
const NAMES: [&str; 17] = [
    "words",
    "sentences",
    "paragraphs",
    "characters",
    "syllables",
    "complex_words",
    "long_words",
    "polysyllabic_words",
    "pre",
    "list",
    "blockquote",
    "heading_h1",
    "heading_h2",
    "heading_h3",
    "heading_h4",
    "heading_h5",
    "heading_h6",
];

impl Metric {
    pub fn read(fields: &Fields<'_>) -> Option<Self> {
        fields.ignore(&["action"]);
        let formula = fields.text("formula", "a formula such as words / sentences");
        let condition = fields.text("condition", "a comparison such as \"> 8\"");
        if formula.is_none() {
            fields.missing("formula", "a formula such as words / sentences");
        }
        if condition.is_none() {
            fields.missing("condition", "a comparison such as \"> 8\"");
        }
        let ((formula_line, formula), (condition_line, condition)) = (formula?, condition?);
        // Vale writes a heading's count either way.
        let formula = formula.replace("heading.h", "heading_h");
        let ones = NAMES.map(|name| (name, 1.0)).into_iter().collect();
        let wrong = formula::value(&formula, &ones).err().map(|what| (formula_line, format!("formula {what}")));
        let condition_wrong = formula::value(&format!("1 {condition}"), &ones)
            .err()
            .map(|what| (condition_line, format!("condition {what}")));
        let fine = wrong.is_none() && condition_wrong.is_none();
        for (line, message) in wrong.into_iter().chain(condition_wrong) {
            fields.problem(line, message);
        }
        fine.then(|| Self { formula, condition: condition.to_owned() })
    }

    /// The formula's value with two places, if the condition holds. An article without words has none.
    pub fn look(&self, page: &ProsePage<'_>) -> Option<String> {
        let values = counts(page)?;
        let value = formula::value(&self.formula, &values).ok()?;
        let holds = formula::value(&format!("({value:.6}) {}", self.condition), &values).ok()?;
        (holds != 0.0).then(|| format!("{value:.2}"))
    }
}

#[expect(clippy::cast_precision_loss, reason = "no article has more words than a float can count")]
fn counts(page: &ProsePage<'_>) -> Option<HashMap<&'static str, f64>> {
    let mut counts: HashMap<&'static str, f64> = NAMES.map(|name| (name, 0.0)).into_iter().collect();
    let mut add = |name: &'static str, more: usize| *counts.entry(name).or_default() += more as f64;
    for block in page.blocks.iter().filter(|block| block.field == "articleBody") {
        match block.kind {
            BlockKind::Heading(level) => {
                if let Some(name) = NAMES.get(usize::from(level) + 10) {
                    add(name, 1);
                }
                continue;
            }
            BlockKind::Item => add("list", 1),
            BlockKind::Quoted => add("blockquote", 1),
            BlockKind::Paragraph => add("paragraphs", 1),
            BlockKind::Header | BlockKind::Cell => continue,
        }
        add("sentences", block.sentences.len());
        for word in copydesk_text::words::words(&block.prose.text) {
            let syllables = syllables::of(&word.text.to_lowercase());
            let letters = word.text.chars().filter(|c| c.is_alphanumeric()).count();
            add("words", 1);
            add("characters", letters);
            add("syllables", syllables);
            add("long_words", usize::from(letters > 6));
            add("polysyllabic_words", usize::from(syllables >= 3));
            // Vale leaves out names and plain inflections; here only capitals show a name.
            add("complex_words", usize::from(syllables >= 3 && !word.text.starts_with(char::is_uppercase)));
        }
    }
    counts.get("words").is_some_and(|words| *words > 0.0).then_some(counts)
}
