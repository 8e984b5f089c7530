//! The proof's results on planted errors, as tables for a person, as one JSON object for a program.

use std::collections::BTreeMap;

use serde::Serialize;

use super::table::{plain, trimmed};
use crate::{
    newsroom::Footing,
    proof::{PlantedOutcome, TrueOutcome},
};

/// A share, with the interval in which the true one lies 95 times of 100 (Wilson, 1927).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MeasuredShare {
    pub part: usize,
    pub of: usize,
    /// In per cent.
    pub share: f64,
    pub low: f64,
    pub high: f64,
}

impl MeasuredShare {
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of texts")]
    pub fn new(part: usize, of: usize) -> Self {
        const Z: f64 = 1.959_964;
        if of == 0 {
            return Self { part, of, share: 0.0, low: 0.0, high: 100.0 };
        }
        let (n, share) = (of as f64, part as f64 / of as f64);
        let middle = (share + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
        let reach = Z / (1.0 + Z * Z / n) * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        Self {
            part,
            of,
            share: 100.0 * share,
            low: 100.0 * (middle - reach).max(0.0),
            high: 100.0 * (middle + reach).min(1.0),
        }
    }

    fn in_words(self) -> [String; 2] {
        let Self { part, of, share, low, high } = self;
        [format!("{part} of {of}"), format!("{share:.1} ({low:.1} to {high:.1})")]
    }
}

/// The scores of a set.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlantedScores {
    /// Errors raised, by kind.
    pub kinds: BTreeMap<String, MeasuredShare>,
    pub raised: MeasuredShare,
    /// The same without quotations.
    pub outside_quotations: MeasuredShare,
    /// Of the errors raised, those with the passage that decides.
    pub right_passage: MeasuredShare,
    /// Errors whose words a row calls proved.
    pub assured: MeasuredShare,
    /// Findings in the true articles, per 100 sentences.
    pub false_findings: f64,
    pub sentences: usize,
    /// Rows of the true articles that match.
    pub matching: MeasuredShare,
    /// How often each rule was right, and how often wrong (in a true article).
    pub rules: BTreeMap<String, [usize; 2]>,
}

impl PlantedScores {
    #[must_use]
    pub fn of(truths: &[TrueOutcome], errors: &[PlantedOutcome]) -> Self {
        let share = |errors: &[&PlantedOutcome], is: fn(&PlantedOutcome) -> bool| {
            MeasuredShare::new(errors.iter().filter(|error| is(error)).count(), errors.len())
        };
        let raised: fn(&PlantedOutcome) -> bool = |error| !error.raised.is_empty();
        let all: Vec<&PlantedOutcome> = errors.iter().collect();
        let mut kinds: BTreeMap<String, Vec<&PlantedOutcome>> = BTreeMap::new();
        for error in errors {
            kinds.entry(error.kind.clone()).or_default().push(error);
        }
        let outside: Vec<&PlantedOutcome> = errors.iter().filter(|error| error.kind != "quotation").collect();
        let caught: Vec<&PlantedOutcome> = errors.iter().filter(|error| raised(error)).collect();
        let mut rules: BTreeMap<String, [usize; 2]> = BTreeMap::new();
        let wrong = truths.iter().flat_map(|truth| &truth.raised).map(|(rule, _)| (rule, 1));
        for (rule, at) in errors.iter().flat_map(|error| &error.raised).map(|rule| (rule, 0)).chain(wrong) {
            if let Some(count) = rules.entry(rule.clone()).or_default().get_mut(at) {
                *count += 1;
            }
        }
        let sentences = truths.iter().map(|truth| truth.sentences).sum::<usize>();
        let findings = truths.iter().map(|truth| truth.raised.len()).sum::<usize>();
        let rows = |only: Option<Footing>| {
            let rows = truths.iter().flat_map(|truth| &truth.rows);
            rows.filter(|(name, _)| only.is_none_or(|only| only.name() == **name)).map(|(_, count)| count).sum()
        };
        #[expect(clippy::cast_precision_loss, reason = "counts of sentences")]
        let false_findings = findings as f64 * 100.0 / sentences.max(1) as f64;
        Self {
            kinds: kinds.into_iter().map(|(kind, errors)| (kind, share(&errors, raised))).collect(),
            raised: share(&all, raised),
            outside_quotations: share(&outside, raised),
            right_passage: share(&caught, |error| error.right_passage),
            assured: share(&all, |error| !error.assured.is_empty()),
            false_findings,
            sentences,
            matching: MeasuredShare::new(rows(Some(Footing::Matches)), rows(None)),
            rules,
        }
    }
}

/// The scores as one JSON object.
///
/// # Errors
/// If they cannot be written as JSON, which their types rule out.
pub fn planted_json(scores: &PlantedScores) -> serde_json::Result<String> {
    serde_json::to_string(scores)
}

/// The scores as tables: what was raised of each kind, the sums, and the rules.
#[must_use]
pub fn planted_tables(scores: &PlantedScores) -> String {
    let mut table = plain(&["errors raised", "", "per cent (95 of 100)"]);
    let mut add = |name: &str, share: MeasuredShare| {
        let [count, percent] = share.in_words();
        table.add_row([name.to_owned(), count, percent]);
    };
    for (kind, share) in &scores.kinds {
        add(&kind.replace('_', " "), *share);
    }
    add("all", scores.raised);
    add("outside quotation marks", scores.outside_quotations);
    add("raised with the right passage", scores.right_passage);
    add("errors whose words are called proved", scores.assured);
    add("rows of true articles that match", scores.matching);
    let mut rules = plain(&["rule", "right", "wrong"]);
    for (rule, [right, wrong]) in &scores.rules {
        rules.add_row([rule.clone(), right.to_string(), wrong.to_string()]);
    }
    let PlantedScores { false_findings, sentences, .. } = scores;
    format!(
        "{}\n\nFalse findings: {false_findings:.1} per 100 sentences of true articles ({sentences} sentences).\n\n{}",
        trimmed(&table),
        trimmed(&rules)
    )
}

/// Each planted error with the rules that raised it and the rows that call it proved, and each finding in a true article.
#[must_use]
pub fn planted_list(truths: &[TrueOutcome], errors: &[PlantedOutcome]) -> String {
    let errors = errors.iter().map(|error| {
        let PlantedOutcome { document, id, kind, raised, right_passage, assured } = error;
        let raised = if raised.is_empty() { "MISSED".to_owned() } else { raised.join(", ") };
        let place = if *right_passage || raised == "MISSED" { "" } else { " (another passage)" };
        let assured =
            if assured.is_empty() { String::new() } else { format!("; called proved by {}", assured.join(", ")) };
        format!("{document} {id} {kind}: {raised}{place}{assured}")
    });
    let truths = truths.iter().flat_map(|truth| {
        truth.raised.iter().map(|(rule, text)| format!("{}: {rule} raised what is true: {text}", truth.document))
    });
    errors.chain(truths).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_has_its_interval() {
        let MeasuredShare { share, low, high, .. } = MeasuredShare::new(9, 12);
        assert_eq!([share, low, high].map(|value| format!("{value:.4}")), ["75.0000", "46.7695", "91.1058"]);
        assert_eq!(MeasuredShare::new(9, 12).in_words(), ["9 of 12", "75.0 (46.8 to 91.1)"]);
        assert_eq!((MeasuredShare::new(0, 0).low, MeasuredShare::new(0, 0).high), (0.0, 100.0));
    }

    #[test]
    fn what_was_raised_missed_and_called_proved_is_counted() {
        let error = |kind: &str, raised: &[&str], assured: bool| PlantedOutcome {
            document: "a".into(),
            id: "v".into(),
            kind: kind.into(),
            raised: raised.iter().map(|&rule| rule.to_owned()).collect(),
            right_passage: true,
            assured: if assured { vec!["name.found".to_owned()] } else { Vec::new() },
        };
        let truth = TrueOutcome {
            document: "a".into(),
            sentences: 50,
            raised: vec![("number.not_found".into(), "7".into())],
            rows: [("matches", 6), ("conflicts", 2)].into(),
        };
        let errors = [
            error("quotation", &["quotation.altered"], false),
            error("number", &[], true),
            error("number", &["x"], false),
        ];
        let scores = PlantedScores::of(&[truth], &errors);
        assert_eq!((scores.raised.part, scores.outside_quotations.part, scores.assured.part), (2, 1, 1));
        assert_eq!((scores.false_findings, scores.matching.share), (2.0, 75.0));
        assert_eq!(scores.rules["number.not_found"], [0, 1]);
        let said = planted_tables(&scores);
        assert!(said.contains("False findings: 2.0 per 100 sentences of true articles (50 sentences)."), "{said}");
        assert!(planted_json(&scores).unwrap().contains("\"part\":2"));
    }
}
