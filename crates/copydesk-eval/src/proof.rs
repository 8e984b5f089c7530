//! `copydesk-eval proof`: the proof's rules on summaries that people have held against their documents.

use clap::ValueEnum;
use copydesk::{
    cli::intake::{files, words::gravity},
    newsroom::{ArticleResponse, Source},
    proof::{self, Gravity},
    text::sanitise,
};
use serde::Deserialize;

use crate::prelude::*;
use crate::{
    basis,
    evaluation::{TablesAndUnits, count, percent},
    kept::{EvalDone, EvalOutput, option_name},
    scoring::{self, JudgedText, score},
};

#[derive(Debug, Args)]
pub(crate) struct ProofEvalArgs {
    /// A folder of JSON files, each a list of objects with doc, summary, label (1: the document carries the summary, 0: it
    /// does not) and split, in the layout of `SummEdits`.
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    #[command(flatten)]
    output: EvalOutput,
    /// Which part is measured: rules are made on test and measured on evaluation.
    #[arg(long, value_enum, default_value_t)]
    split: Split,
    /// The least grave rules that count: note asks for every doubt, concern for what a review gets.
    #[arg(long, value_name = "LEVEL", value_parser = gravity(), default_value = "note")]
    level: Gravity,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Split {
    /// What rules are made on.
    Test,
    /// What they are measured on.
    #[default]
    Evaluation,
    /// Both.
    All,
}

pub(crate) fn measure(arguments: ProofEvalArgs) -> Result<EvalDone> {
    let ProofEvalArgs { data, output, split, level } = arguments;
    let judged = judged(&data, split)?;
    let basis = EvalBasis { data: Some(basis::of_files(&data)?), ..basis::of_program("none") };
    let mut evaluation = basis::begun("proof", "The proof on judged texts", basis);
    (evaluation.tables, evaluation.units) = tables(&judged, level);
    evaluation.notes.push(format!("Split: {}.", option_name(&split)));
    output.publish(evaluation, Exit::Fine)
}

/// One text of a file. Other fields of the object are not read.
#[derive(Debug, Deserialize)]
struct Entry {
    doc: String,
    summary: String,
    label: Label,
    split: String,
}

/// Files have the label as a number or as its digit.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Label {
    Number(u8),
    Digit(String),
}

impl Label {
    fn consistent(&self) -> Option<bool> {
        match self {
            Self::Number(1) => Some(true),
            Self::Number(0) => Some(false),
            Self::Digit(digit) if digit == "1" => Some(true),
            Self::Digit(digit) if digit == "0" => Some(false),
            _ => None,
        }
    }
}

fn judged(data: &Path, split: Split) -> Result<Vec<(String, Vec<JudgedText>)>> {
    let mut judged = Vec::new();
    for path in listed(data)? {
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let entries = entries(&path, split)?;
        judged.push((name, scoring::judge_all(&entries, judge)?));
    }
    if judged.iter().all(|(_, texts)| texts.is_empty()) {
        let shown = sanitise::one_line(&data.display().to_string());
        return Err(wrong_use(format!("no file of {shown} has a text of this split; try --split all")));
    }
    Ok(judged)
}

fn listed(folder: &Path) -> Result<Vec<PathBuf>> {
    let shown = sanitise::one_line(&folder.display().to_string());
    let entries =
        std::fs::read_dir(folder).map_err(|error| WrongUse(format!("the folder {shown} cannot be read: {error}")))?;
    let mut found: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| files::is(path, &["json"])).collect();
    if found.is_empty() {
        return Err(wrong_use(format!("the folder {shown} holds no data (*.json)")));
    }
    found.sort();
    Ok(found)
}

fn entries(path: &Path, split: Split) -> Result<Vec<(Entry, bool)>> {
    let shown = sanitise::one_line(&path.display().to_string());
    let bytes = files::read_bounded(path)?.map_err(|error| WrongUse(format!("{shown}: {error}")))?;
    let all: Vec<Entry> = serde_json::from_slice(&bytes).map_err(|error| {
        WrongUse(format!("{shown} is no list of texts with doc, summary, label and split: {error}"))
    })?;
    let mut wanted = Vec::new();
    for (index, entry) in all.into_iter().enumerate() {
        let place = || format!("{shown}, text {}", index + 1);
        let consistent =
            entry.label.consistent().ok_or_else(|| WrongUse(format!("{}: the label is neither 0 nor 1", place())))?;
        let belongs = match (entry.split.as_str(), split) {
            ("test" | "evaluation", Split::All) | ("test", Split::Test) | ("evaluation", Split::Evaluation) => true,
            ("test" | "evaluation", _) => false,
            (other, _) => {
                let other = sanitise::excerpt(other, 40);
                return Err(wrong_use(format!("{}: the split is {other}, neither test nor evaluation", place())));
            }
        };
        if belongs {
            wanted.push((entry, consistent));
        }
    }
    Ok(wanted)
}

/// A summary is the body of a draft without a headline; its document is the one source.
fn judge((entry, consistent): &(Entry, bool)) -> JudgedText {
    let article = ArticleResponse { articleBody: entry.summary.clone(), ..ArticleResponse::default() };
    let source = Source { name: "doc".to_owned(), text: entry.doc.clone() };
    let ledger = proof::ledger(&article, &[source], Gravity::Note);
    let judging = ledger.findings();
    JudgedText { consistent: *consistent, rules: judging.map(|row| row.rule.clone()).collect() }
}

/// The scores of the rules at this level and above, and what each rule adds. A unit is a text.
fn tables(judged: &[(String, Vec<JudgedText>)], level: Gravity) -> TablesAndUnits {
    let scores = score(judged, level);
    let columns = [("texts", ""), ("balanced accuracy", "%"), ("precision", "%"), ("recall", "%")];
    let mut files = EvalTable::new("files", &format!("Texts, rules from {} on", scores.level), "file", &columns);
    for (name, file) in &scores.files {
        let accuracy = percent(Some(file.balanced_accuracy));
        files.add(name, name, "", vec![count(file.n), accuracy, percent(file.precision), percent(file.recall)]);
    }
    let mean = vec![EvalCell::None, percent(Some(scores.mean_balanced_accuracy)), EvalCell::None, EvalCell::None];
    files.add("", "mean", "", mean);
    let columns = [("gravity", ""), ("fires", ""), ("right", ""), ("precision", "%"), ("adds", "%")];
    let mut rules = EvalTable::new("rules", "Rules", "rule", &columns);
    for (name, rule) in &scores.rules {
        let adds = EvalCell::number(Some(rule.adds * 100.0), 2);
        let gravity = EvalCell::text(rule.gravity);
        rules.add(name, name, "", vec![gravity, count(rule.fires), count(rule.right), percent(rule.precision), adds]);
    }
    let counts = |rule: &&String| scores.rules.contains_key(*rule);
    let units = judged.iter().flat_map(|(file, texts)| {
        texts.iter().map(move |text| {
            let rules: Vec<&String> = text.rules.iter().filter(counts).collect();
            json!({"file": file, "consistent": text.consistent, "rules": rules})
        })
    });
    (vec![files, rules], units.collect())
}
