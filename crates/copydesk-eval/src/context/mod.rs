//! `copydesk-eval context`: what shortening for a model saves and loses, on the texts of a set of documents.

mod relevance;
mod script;
mod shapes;

use std::{cell::RefCell, collections::HashMap};

use copydesk::{
    agents::{CompactionRecord, SkillCost, Windows, skill_costs, skill_tokens},
    cli::wiring::shipped_skills::{shipped_profiles, shipped_prompt, shipped_skills},
    newsroom::{Agent, ToolUsers, amount},
    ports::Toolbox as _,
    skills::has_tools,
    text::{tokens, toon::Notation},
    tools::LoadSkill,
};
use futures_util::FutureExt as _;
use serde::Serialize;

use crate::prelude::*;
use crate::{
    basis,
    evaluation::{MeasuredShare, TablesAndUnits},
    kept::{EvalDone, EvalOutput},
    newsroom,
    planted::PlantedDocument,
};

/// The tokens that are counted: those of the template's encoding.
const ENCODING: &str = "o200k_base";

#[derive(Debug, Args)]
pub(crate) struct ContextEvalArgs {
    /// A folder with a folder for each document (source.txt, article.md, document.json), or the same as a .zip.
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    #[command(flatten)]
    output: EvalOutput,
}

pub(crate) fn measure(arguments: ContextEvalArgs) -> Result<EvalDone> {
    let ContextEvalArgs { data, output } = arguments;
    let measured = context_evaluation(&newsroom::read(&data)?)?;
    let basis = EvalBasis { data: Some(basis::of_data(&data)?), ..basis::of_program("none") };
    let mut evaluation = basis::begun("context", "What shortening saves and loses", basis);
    (evaluation.tables, evaluation.units) = measured;
    evaluation.notes.push(format!("Tokens are those of {ENCODING}."));
    output.publish(evaluation, Exit::Fine)
}

/// The tokens of data of one shape, in each notation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct ShapeTokens {
    /// Such as `numeric table`.
    pub(crate) shape: &'static str,
    /// In JSON with white space.
    pub(crate) pretty: u64,
    /// In JSON without white space.
    pub(crate) json: u64,
    /// In TOON. Null if it cannot hold the data.
    pub(crate) toon: Option<u64>,
    /// The notation that is sent: the smaller of the last two.
    pub(crate) sent: Notation,
}

/// A conversation with tools, shortened to a budget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct ConversationScores {
    pub(crate) budget: u64,
    #[serde(flatten)]
    pub(crate) record: CompactionRecord,
}

/// The losses of a source if only the sentences that bear on a task are kept.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct RelevanceScores {
    /// Where the task's words come from: `sentence` (of the draft) or `headline`.
    pub(crate) task: &'static str,
    /// The most that is kept, in per cent of the source's tokens.
    pub(crate) limit: u64,
    /// Tokens of all sources, once for each task.
    pub(crate) tokens: u64,
    pub(crate) tokens_kept: u64,
    /// Passages that a fact-checker needs and that were kept whole.
    pub(crate) passages: MeasuredShare,
    /// The same if only the beginning of the source is kept.
    pub(crate) passages_of_beginning: MeasuredShare,
}

/// The tokens of the first prompt of an agent that calls tools, without a story: the delivered prompt, the agent's own file, its skills.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct FirstPromptTokens {
    pub(crate) prompt: &'static str,
    /// With names and descriptions of the skills, which the model opens by a call.
    pub(crate) names: u64,
    /// With the texts of all skills.
    pub(crate) all: u64,
    /// Sent in the two calls that open one skill of middling length: the names and the tool twice, and its text.
    pub(crate) opened: u64,
}

/// The first prompts of the agents that open their skills by a call.
fn first_prompts() -> Vec<FirstPromptTokens> {
    let windows = Windows { encoding: ENCODING.to_owned(), prompts: HashMap::new(), sources: None };
    let users = ToolUsers { editor: true, fact_checker: true };
    let skills = shipped_skills();
    let costs = skill_costs(&skills, &shipped_profiles(), &windows, users);
    let of_prompt = |cost: SkillCost| {
        let SkillCost { prompt, tokens, tokens_of_all, .. } = cost;
        let own = tokens::count(ENCODING, shipped_prompt(prompt).filter(|_| has_tools(prompt, users))?);
        let of_agent = skills.iter().filter(|skill| skill.agent.prompts.contains(&prompt));
        let texts: Vec<u64> = of_agent.clone().map(|skill| tokens::count(ENCODING, &skill.body)).collect();
        let text = texts.iter().sum::<u64>().checked_div(texts.len() as u64)?;
        // Whose they are says nothing about the tool.
        let opener = LoadSkill(of_agent.map(|skill| (Agent::Reporter, skill.name.clone(), String::new())).collect());
        let tools = opener.tools(Agent::Reporter).now_or_never().unwrap_or_default();
        let tool: u64 = tools.iter().map(|tool| tokens::count(ENCODING, &tool.text())).sum();
        let (names, all) = (own + tokens, own + tokens_of_all);
        Some(FirstPromptTokens { prompt, names, all, opened: 2 * (names + tool) + text })
    };
    costs.into_iter().filter_map(of_prompt).collect()
}

/// The savings and losses of shortening. A unit is a shape, a budget, a task with its limit, an agent, or a prompt.
fn context_evaluation(documents: &[PlantedDocument]) -> Result<TablesAndUnits> {
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
    let change =
        |before: u64, after: u64| EvalCell::number(Some(100.0 * (amount(after) / amount(before.max(1)) - 1.0)), 1);
    let mut units = Vec::new();
    let columns =
        [("pretty JSON", ""), ("compact JSON", ""), ("TOON", ""), ("TOON to pretty", "%"), ("TOON to compact", "%")];
    let mut shapes = EvalTable::new("shapes", "Tokens by shape and notation", "shape", &columns);
    for ShapeTokens { shape, pretty, json, toon, sent } in &shapes::measured(documents, &count)? {
        let cells = vec![
            EvalCell::count(*pretty),
            EvalCell::count(*json),
            toon.map_or(EvalCell::None, EvalCell::count),
            toon.map_or(EvalCell::None, |toon| change(*pretty, toon)),
            toon.map_or(EvalCell::None, |toon| change(*json, toon)),
        ];
        shapes.add(shape, shape, "", cells);
        units.push(json!({"shape": shape, "pretty": pretty, "json": json, "toon": toon, "sent": sent}));
    }
    let columns = [("exchanges", ""), ("before", ""), ("after", ""), ("change", "%")];
    let mut conversation = EvalTable::new("conversation", "A conversation with tools, in tokens", "budget", &columns);
    for ConversationScores { budget, record } in &script::measured(documents, &count)? {
        let cells = vec![
            EvalCell::count(record.exchanges),
            EvalCell::count(record.tokens_before),
            EvalCell::count(record.tokens_after),
            change(record.tokens_before, record.tokens_after),
        ];
        conversation.add(&budget.to_string(), &budget.to_string(), "", cells);
        units.push(json!({"budget": budget, "record": record}));
    }
    let columns =
        [("tokens", ""), ("kept", ""), ("change", "%"), ("passages kept", ""), ("by the beginning alone", "")];
    let mut relevance = EvalTable::new("relevance", "Sentences that bear on a task", "task and limit", &columns);
    for score in &relevance::measured(documents, &count) {
        let RelevanceScores { task, limit, tokens, tokens_kept, passages, passages_of_beginning } = score;
        let cells = vec![
            EvalCell::count(*tokens),
            EvalCell::count(*tokens_kept),
            change(*tokens, *tokens_kept),
            EvalCell::share(passages.part, passages.of),
            EvalCell::share(passages_of_beginning.part, passages_of_beginning.of),
        ];
        relevance.add(&format!("{task}|{limit}"), &format!("{task}, at most {limit} %"), "", cells);
        units.push(json!({"relevance": score}));
    }
    let columns = [("skills", ""), ("names", ""), ("and one text", ""), ("and all texts", ""), ("one for all", "%")];
    let mut skills = EvalTable::new("skills", "Skills in a prompt, in tokens", "agent", &columns);
    for one in &skill_tokens(&shipped_skills(), ENCODING) {
        let mut cells: Vec<EvalCell> =
            [one.skills, one.names, one.one, one.all].into_iter().map(EvalCell::count).collect();
        cells.push(change(one.all, one.one));
        skills.add(one.agent, one.agent, "", cells);
        units.push(json!({"skills": one}));
    }
    let columns = [
        ("with names", ""),
        ("with all texts", ""),
        ("names for texts", "%"),
        ("in two calls with one opened", ""),
        ("those for texts", "%"),
    ];
    let title = "The first prompt of an agent with tools, without a story, in tokens";
    let mut first = EvalTable::new("first_prompts", title, "prompt", &columns);
    for one in &first_prompts() {
        let FirstPromptTokens { prompt, names, all, opened } = one;
        let [names_cell, all_cell, opened_cell] = [names, all, opened].map(|tokens| EvalCell::count(*tokens));
        let cells = vec![names_cell, all_cell, change(*all, *names), opened_cell, change(*all, *opened)];
        first.add(prompt, prompt, "", cells);
        units.push(json!({"first_prompt": one}));
    }
    Ok((vec![shapes, conversation, relevance, skills, first], units))
}
