//! Measures the proof on articles with one planted error each. Does it raise the error, and for the right reason? Does
//! it call the false words proved? How often does it raise what is true?

use std::{collections::BTreeMap, ops::Range};

use copydesk::{
    newsroom::{ArticleResponse, Footing, LedgerRow, Source},
    proof::{Gravity, at_the_name, ledger},
    text::sentences::sentences,
};
use serde::Serialize;

use crate::evaluation::{MeasuredShare, TablesAndUnits, count, float};
use crate::prelude::*;

/// A faithful article, its source, and the errors that were planted into it.
#[derive(Debug, Clone)]
pub(crate) struct PlantedDocument {
    pub(crate) name: String,
    pub(crate) source: String,
    pub(crate) article: ArticleResponse,
    pub(crate) errors: Vec<PlantedError>,
}

/// One error, planted into the body of the article.
#[derive(Debug, Clone)]
pub(crate) struct PlantedError {
    pub(crate) id: String,
    /// Such as `number` or `wrong_speaker`.
    pub(crate) kind: String,
    /// The body with the error.
    pub(crate) body: String,
    /// The false words: bytes of the body.
    pub(crate) wrong: Range<usize>,
    /// The passages that show the truth: bytes of the source. None if no passage speaks of it.
    pub(crate) passages: Vec<Range<usize>>,
}

/// The proof's result on one planted error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct PlantedOutcome {
    pub(crate) document: String,
    pub(crate) id: String,
    pub(crate) kind: String,
    /// The rules that raise the false words; empty if none does.
    pub(crate) raised: Vec<String>,
    /// Whether one of these findings shows a passage that decides, or none is known.
    pub(crate) right_passage: bool,
    /// The rows that call the false words proved, by their rule.
    pub(crate) assured: Vec<String>,
}

/// The proof's result on one true article.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct TrueOutcome {
    pub(crate) document: String,
    pub(crate) sentences: usize,
    /// The rule and the words of each finding.
    pub(crate) raised: Vec<(String, String)>,
    /// How many rows there are for each word of [`Footing`].
    pub(crate) rows: BTreeMap<&'static str, usize>,
}

/// Judges the true article and each planted error. Rules below `least` are not asked.
pub(crate) fn judge(document: &PlantedDocument, least: Gravity) -> (TrueOutcome, Vec<PlantedOutcome>) {
    let sources = [Source { name: "source".to_owned(), text: document.source.clone() }];
    let truth = ledger(&document.article, &sources, least);
    let known: Vec<(&str, &str)> = truth.findings().map(rule_and_text).collect();
    let errors = document.errors.iter().map(|error| {
        let article = ArticleResponse { articleBody: error.body.clone(), ..document.article.clone() };
        outcome(document, error, &known, &article, &sources, least)
    });
    let errors = errors.collect();
    let mut rows: BTreeMap<&'static str, usize> = BTreeMap::new();
    for row in &truth.rows {
        *rows.entry(row.standing.footing().name()).or_default() += 1;
    }
    let raised = truth.findings().map(|row| (row.rule.clone(), row.text.clone()));
    let truth = TrueOutcome {
        document: document.name.clone(),
        sentences: document.article.fields().iter().map(|(_, text)| sentences(text).len()).sum(),
        raised: raised.collect(),
        rows,
    };
    (truth, errors)
}

fn rule_and_text(row: &LedgerRow) -> (&str, &str) {
    (&row.rule, &row.text)
}

fn outcome(
    document: &PlantedDocument,
    error: &PlantedError,
    known: &[(&str, &str)],
    article: &ArticleResponse,
    sources: &[Source],
    least: Gravity,
) -> PlantedOutcome {
    let ledger = ledger(article, sources, least);
    let inside = |start: usize, end: usize| start < error.wrong.end && error.wrong.start < end;
    // The row of a wrong speaker is at the quotation. The false words are the name.
    let named = |row: &LedgerRow| {
        let moved = row.clone().finding().and_then(|finding| at_the_name(&finding, article, sources));
        moved.is_some_and(|finding| inside(finding.start, finding.end))
    };
    let touches = |row: &&LedgerRow| row.field == "articleBody" && (inside(row.start, row.end) || named(row));
    // A finding that is also in the true article is not due to the error.
    let found: Vec<&LedgerRow> =
        ledger.findings().filter(touches).filter(|row| !known.contains(&rule_and_text(row))).collect();
    let decides = |row: &&LedgerRow| {
        let shown = row.passage.as_ref();
        shown.is_some_and(|shown| error.passages.iter().any(|right| shown.start < right.end && right.start < shown.end))
    };
    let assured = ledger.rows.iter().filter(|row| row.standing.footing() == Footing::Matches && touches(row));
    PlantedOutcome {
        document: document.name.clone(),
        id: error.id.clone(),
        kind: error.kind.clone(),
        right_passage: !found.is_empty() && (error.passages.is_empty() || found.iter().any(decides)),
        raised: found.into_iter().map(|row| row.rule.clone()).collect(),
        assured: assured.map(|row| row.rule.clone()).collect(),
    }
}

/// The scores of a set.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct PlantedScores {
    /// Errors raised, by kind.
    pub(crate) kinds: BTreeMap<String, MeasuredShare>,
    pub(crate) raised: MeasuredShare,
    /// The same without quotations.
    pub(crate) outside_quotations: MeasuredShare,
    /// Of the errors raised, those with the passage that decides.
    pub(crate) right_passage: MeasuredShare,
    /// Errors whose words a row calls proved.
    pub(crate) assured: MeasuredShare,
    /// Findings in the true articles, per 100 sentences.
    pub(crate) false_findings: f64,
    pub(crate) sentences: usize,
    /// Rows of the true articles that match.
    pub(crate) matching: MeasuredShare,
    /// How often each rule was right, and how often wrong (in a true article).
    pub(crate) rules: BTreeMap<String, [usize; 2]>,
}

impl PlantedScores {
    pub(crate) fn of(truths: &[TrueOutcome], errors: &[PlantedOutcome]) -> Self {
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
        let false_findings = float(findings) * 100.0 / float(sentences.max(1));
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

/// The proof on planted errors. A unit is a true article or an error; of a sealed set there is one, with its counts.
pub(crate) fn planted_evaluation(
    scores: &PlantedScores,
    truths: &[TrueOutcome],
    errors: &[PlantedOutcome],
    sealed: bool,
) -> TablesAndUnits {
    let mut table = EvalTable::new("errors", "Planted errors", "errors", &[("raised", "")]);
    let mut add = |key: &str, name: &str, share: &MeasuredShare| {
        table.add(key, name, "", vec![EvalCell::share(share.part, share.of)]);
    };
    for (kind, share) in &scores.kinds {
        add(&format!("kind_{kind}"), &kind.replace('_', " "), share);
    }
    add("raised", "all", &scores.raised);
    add("outside_quotations", "outside quotation marks", &scores.outside_quotations);
    add("right_passage", "raised with the right passage", &scores.right_passage);
    add("assured", "errors whose words are called proved", &scores.assured);
    add("matching", "rows of true articles that match", &scores.matching);
    let false_findings = EvalCell::number(Some(scores.false_findings), 1);
    table.add("false_findings", "false findings in 100 sentences of true articles", "", vec![false_findings]);
    table.notes.push(format!("The true articles have {} sentences.", scores.sentences));
    let mut rules = EvalTable::new("rules", "Rules", "rule", &[("right", ""), ("wrong", "")]);
    for (rule, [right, wrong]) in &scores.rules {
        rules.add(rule, rule, "", vec![count(*right), count(*wrong)]);
    }
    let units = if sealed {
        vec![json!({"counts": scores})]
    } else {
        let truths = truths.iter().map(|truth| json!({"true_article": truth}));
        truths.chain(errors.iter().map(|error| json!({"error": error}))).collect()
    };
    (vec![table, rules], units)
}

/// Each planted error with the rules that raised it and the rows that call it proved, and each finding in a true article.
pub(crate) fn planted_list(truths: &[TrueOutcome], errors: &[PlantedOutcome]) -> String {
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
    fn an_error_is_raised_or_missed_and_its_words_are_assured_or_not() {
        let source = "The council voted on Tuesday to spend $1.8 million on the park. Ana Reyes was there.";
        let body = |money: &str, who: &str| {
            format!("The council voted on Tuesday to spend {money} on the park. {who} was there.")
        };
        let error = |id: &str, body: String, wrong: &str, right: &str| PlantedError {
            id: id.into(),
            kind: "number".into(),
            wrong: body.find(wrong).map(|at| at..at + wrong.len()).unwrap(),
            passages: source.find(right).map(|at| at..at + right.len()).into_iter().collect(),
            body,
        };
        let document = PlantedDocument {
            name: "park".into(),
            source: source.into(),
            article: ArticleResponse {
                headline: String::new(),
                alternativeHeadline: String::new(),
                articleBody: body("$1.8 million", "Ana Reyes"),
                description: String::new(),
            },
            errors: vec![
                error("1", body("$2.8 million", "Ana Reyes"), "$2.8 million", "$1.8 million"),
                error("2", body("$1.8 million", "Ana Reyes"), "Ana Reyes", "$1.8 million"),
            ],
        };
        let (truth, errors) = judge(&document, Gravity::Concern);
        assert_eq!((truth.sentences, truth.raised.len()), (2, 0));
        let [raised, missed] = errors.as_slice() else { panic!("{errors:?}") };
        assert_eq!((raised.raised.as_slice(), raised.right_passage), (&["number.contradicted".to_owned()][..], true));
        assert_eq!((missed.raised.len(), missed.right_passage, missed.assured.is_empty()), (0, false, false));
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
    }
}
