//! `copydesk eval context`: what shortening for a model saves and loses, on the texts of a set of documents.

mod relevance;
mod script;
mod shapes;

use std::{cell::RefCell, collections::HashMap, path::PathBuf};

use anyhow::Result;
use clap::Args;

use super::{basis, kept::EvalDone, newsroom};
use crate::{
    agents::skill_tokens,
    cli::{exit::Exit, wiring::shipped_skills::shipped_skills},
    headless::{self, ContextScores, EvalBasis, context_evaluation},
    proof::PlantedDocument,
    text::tokens,
};

/// The tokens that are counted: those of the template's encoding.
const ENCODING: &str = "o200k_base";

#[derive(Debug, Args)]
pub(crate) struct ContextEvalArgs {
    /// A folder with a folder for each document (source.txt, article.md, document.json), or the same as a .zip.
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Also write the results there: Markdown, JSON, HTML.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl ContextEvalArgs {
    pub(super) fn of(data: PathBuf, out: PathBuf) -> Self {
        Self { data, out: Some(out), json: false }
    }
}

pub(crate) async fn eval(arguments: ContextEvalArgs) -> Result<Exit> {
    Ok(evaluated(arguments).await?.exit)
}

pub(super) async fn evaluated(arguments: ContextEvalArgs) -> Result<EvalDone> {
    let ContextEvalArgs { data, out, json } = arguments;
    let digest = data.clone();
    let scores = tokio::task::spawn_blocking(move || anyhow::Ok(measured(&newsroom::read(&data)?)?)).await??;
    let text = if json { headless::context_json(&scores)? } else { headless::context_tables(&scores) };
    let basis = EvalBasis { data: Some(basis::of_data(&digest)?), ..basis::of_program("none") };
    let mut evaluation = basis::begun("context", "What shortening saves and loses", basis);
    (evaluation.tables, evaluation.units) = context_evaluation(&scores);
    evaluation.notes.push(format!("Tokens are those of {ENCODING}."));
    EvalDone::with(evaluation, &text, out.as_deref())
}

fn measured(documents: &[PlantedDocument]) -> Result<ContextScores> {
    // Sentences are counted once, however many tasks are held beside them.
    let known: RefCell<HashMap<String, u64>> = RefCell::default();
    let count = |text: &str| -> u64 {
        if let Some(tokens) = known.borrow().get(text) {
            return *tokens;
        }
        let tokens = tokens::count(ENCODING, text);
        known.borrow_mut().insert(text.to_owned(), tokens);
        tokens
    };
    Ok(ContextScores {
        encoding: ENCODING,
        shapes: shapes::measured(documents, &count)?,
        conversation: script::measured(documents, &count)?,
        relevance: relevance::measured(documents, &count),
        skills: skill_tokens(&shipped_skills(), ENCODING),
    })
}
