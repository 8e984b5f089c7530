//! `copydesk eval proof`: the proof's rules on summaries that people have held against their documents.

use std::{
    path::{Path, PathBuf},
    thread,
};

use anyhow::{Result, anyhow};
use clap::{Args, ValueEnum};
use serde::Deserialize;

use super::{basis, kept::EvalDone};
use crate::{
    cli::{
        exit::{Exit, WrongUse},
        intake::{files, level::GravityArg},
    },
    headless::{self, EvalBasis, proof_evaluation},
    newsroom::{ArticleResponse, Source},
    proof::{self, Gravity, JudgedText, Scores},
    text::sanitise,
};

#[derive(Debug, Args)]
pub(crate) struct ProofEvalArgs {
    /// A folder of JSON files, each a list of objects with doc, summary, label (1: the document carries the summary, 0: it
    /// does not) and split, in the layout of `SummEdits`.
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Also write the results there: Markdown, JSON, HTML.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Which part is measured: rules are made on test and measured on evaluation.
    #[arg(long, value_enum, default_value_t)]
    split: Split,
    /// The least grave rules that count: note asks for every doubt, concern for what a review gets.
    #[arg(long, value_enum, default_value = "note")]
    level: GravityArg,
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

impl ProofEvalArgs {
    /// As it is delivered.
    pub(super) fn of(data: PathBuf, out: PathBuf) -> Self {
        Self { data, out: Some(out), json: false, split: Split::Evaluation, level: GravityArg::Note }
    }
}

impl Split {
    fn name(self) -> &'static str {
        match self {
            Self::Test => "test",
            Self::Evaluation => "evaluation",
            Self::All => "all",
        }
    }
}

pub(crate) async fn eval(arguments: ProofEvalArgs) -> Result<Exit> {
    Ok(measured(arguments).await?.exit)
}

pub(super) async fn measured(arguments: ProofEvalArgs) -> Result<EvalDone> {
    let ProofEvalArgs { json, level, ref data, ref out, split } = arguments;
    let (data, out, level) = (data.clone(), out.clone(), level.into());
    let judged = tokio::task::spawn_blocking(move || judge_all(&arguments)).await??;
    let scores = proof::score(&judged, level);
    let text = if json { headless::scores_json(&scores)? } else { tables(&judged, &scores, level) };
    let basis = EvalBasis { data: Some(basis::of_files(&data)?), ..basis::of_program("none") };
    let mut evaluation = basis::begun("proof", "The proof on judged texts", basis);
    (evaluation.tables, evaluation.units) = proof_evaluation(&scores, &judged);
    evaluation.notes.push(format!("Split: {}.", split.name()));
    EvalDone::with(evaluation, &text, out.as_deref())
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

/// The table of the level that was asked for, and of those above it what they come to.
fn tables(judged: &[(String, Vec<JudgedText>)], scores: &Scores, level: Gravity) -> String {
    let graver = [Gravity::Concern, Gravity::Block].into_iter().filter(|gravity| *gravity > level);
    let more: Vec<Scores> = graver.map(|gravity| proof::score(judged, gravity)).collect();
    headless::scores_tables(scores, &more)
}

fn judge_all(arguments: &ProofEvalArgs) -> Result<Vec<(String, Vec<JudgedText>)>> {
    let mut judged = Vec::new();
    for path in listed(&arguments.data)? {
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let entries = entries(&path, arguments.split)?;
        judged.push((name, judge(&entries)?));
    }
    if judged.iter().all(|(_, texts)| texts.is_empty()) {
        let shown = sanitise::one_line(&arguments.data.display().to_string());
        return Err(WrongUse(format!("no file of {shown} has a text of this split; try --split all")).into());
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
        return Err(WrongUse(format!("the folder {shown} holds no data (*.json)")).into());
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
                return Err(WrongUse(format!("{}: the split is {other}, neither test nor evaluation", place())).into());
            }
        };
        if belongs {
            wanted.push((entry, consistent));
        }
    }
    Ok(wanted)
}

/// Judges the texts on as many threads as the machine has, in their order.
fn judge(entries: &[(Entry, bool)]) -> Result<Vec<JudgedText>> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let share = entries.len().div_ceil(threads).max(1);
    thread::scope(|scope| {
        let workers: Vec<_> = entries
            .chunks(share)
            .map(|chunk| scope.spawn(|| chunk.iter().map(judge_one).collect::<Vec<_>>()))
            .collect();
        let mut judged = Vec::new();
        for worker in workers {
            judged.extend(worker.join().map_err(|_| anyhow!("a rule of the proof broke off; please report it"))?);
        }
        Ok(judged)
    })
}

/// A summary is the body of a draft without a headline; its document is the one source.
fn judge_one((entry, consistent): &(Entry, bool)) -> JudgedText {
    let article = ArticleResponse {
        headline: String::new(),
        alternativeHeadline: String::new(),
        articleBody: entry.summary.clone(),
        description: String::new(),
    };
    let source = Source { name: "doc".to_owned(), text: entry.doc.clone() };
    let ledger = proof::ledger(&article, &[source], Gravity::Note);
    let judging = ledger.findings();
    JudgedText { consistent: *consistent, rules: judging.map(|row| row.rule.clone()).collect() }
}
