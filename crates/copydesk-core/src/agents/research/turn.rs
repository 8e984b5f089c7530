//! A turn of the Reporter, model-backed: the conversation so far, the tools, and the reading of the answer.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    asked::{TURN, numbered},
    conversation::{SILENT, TalkRoom, conversation},
    judged::judged,
};
use crate::{
    agents::{
        material::Windows,
        reading::{self, ReadingNote, UnusableAnswer},
        template::Prompts,
    },
    editorial::{
        errand_limits::{self, ErrandEnd},
        research::{held, questions},
    },
    ports::Ask,
};
use copydesk_newsroom::{
    Agent, Answer, CredibilityView, Journal, Message, Part, ResearchErrand, ResearchFinding, ResearchTurn, Role, Tool,
    ToolCall,
};
use copydesk_text::sanitise;

/// Most findings of one errand.
const MOST_FINDINGS: usize = 60;

/// Tokens that are left for the sentence which ends an errand.
const LAST_WORDS: u64 = 64;

/// The findings that end an errand.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Found {
    findings: Vec<One>,
    #[serde(default)]
    sources: Vec<Viewed>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Viewed {
    source: String,
    credibility: f64,
    why: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct One {
    question: u32,
    statement: String,
    source: String,
    quotation: String,
}

/// Asks with the conversation so far: the task, then each turn with the results of its calls, as far as it fits. In the last turn that a
/// run allows, no tool may be called.
pub(super) fn ask(
    prompts: &Prompts,
    windows: &Windows,
    journal: &Journal,
    errand: ResearchErrand,
    turn: u32,
    tools: &[Tool],
) -> Option<Ask> {
    let rules = journal.opening.research?;
    let end = errand_limits::end(journal, errand, turn);
    let last = end.is_some() || tools.is_empty();
    let earlier = (1..)
        .map(ResearchErrand::Pass)
        .take_while(|earlier| *earlier != errand && journal.findings(*earlier).is_some());
    let known: Vec<String> = match errand {
        ResearchErrand::Pass(_) => earlier.filter_map(|earlier| findings_json(journal, earlier)).collect(),
        ResearchErrand::Round(_) => Vec::new(),
    };
    let values = [
        ("QUESTIONS", numbered(&questions(journal, errand))),
        ("KNOWN", known.join("\n")),
        ("TURNS", rules.turns.to_string()),
        ("CALLS", rules.calls.to_string()),
    ];
    let mut prompt = prompts.has(TURN).then(|| prompts.fill(TURN, &values))?;
    prompt.tools = tools.to_vec();
    let window = windows.prompts.get(&Agent::Reporter).map(|most| {
        let told: u64 = tools.iter().map(|tool| windows.tokens(&tool.text())).sum();
        most.saturating_sub(windows.of(&prompt).saturating_add(told + LAST_WORDS))
    });
    let room = TalkRoom { limit: rules.limits.conversation_tokens, window };
    let count = |text: &str| windows.tokens(text);
    prompt.messages.extend(conversation(journal, errand, turn, room, count)?.messages);
    if last {
        let why = end.and_then(ErrandEnd::sentence).map(|why| format!("{why} ")).unwrap_or_default();
        let text = format!("{why}No call is possible any more. Write your findings now, as the JSON object alone.");
        prompt.messages.push(Message::new(Role::User, vec![Part { name: TURN.to_owned(), text }]));
        prompt.no_calls = !tools.is_empty();
    }
    Some(Ask {
        agent: Agent::Reporter,
        prompt,
        schema: last.then(|| reading::schema::<Found>("findings")),
        shown: None,
    })
}

/// The findings of an errand, for a prompt.
pub(super) fn findings_json(journal: &Journal, errand: ResearchErrand) -> Option<String> {
    serde_json::to_string_pretty(journal.findings(errand)?.findings.as_ref()?).ok()
}

/// Returns the notes on changes to an answer with findings before it was read.
pub(super) fn notes(text: &str) -> Result<Vec<ReadingNote>, UnusableAnswer> {
    reading::read::<Found>(text).map(|read| read.notes)
}

/// Reads a turn: calls, or else the findings, held against their sources.
pub(super) fn read(
    journal: &Journal,
    errand: ResearchErrand,
    turn: u32,
    answer: &Answer,
) -> Result<ResearchTurn, UnusableAnswer> {
    let rules = journal.opening.research.ok_or_else(|| UnusableAnswer::new("this run does not research"))?;
    if !answer.calls.is_empty() {
        if errand_limits::end(journal, errand, turn).is_some() {
            return Err(UnusableAnswer::new("it calls tools in the last turn, which must be the findings"));
        }
        let most = usize::try_from(rules.calls).unwrap_or(usize::MAX);
        let calls: Vec<ToolCall> = answer.calls.iter().take(most).cloned().collect();
        // Something must stand there, so that the record tells a model's turn from a rule's.
        let said = Some(sanitise::clean(&answer.text).trim().to_owned()).filter(|said| !said.is_empty());
        let said = said.unwrap_or_else(|| SILENT.to_owned());
        return Ok(ResearchTurn { said, calls, ..ResearchTurn::default() });
    }
    let Found { findings: found, sources } = reading::json(&answer.text)?;
    if found.len() > MOST_FINDINGS {
        return Err(UnusableAnswer::new(format!("it has {} findings; at most {MOST_FINDINGS} are read", found.len())));
    }
    let clean = |one: One| ResearchFinding {
        question: one.question,
        statement: sanitise::one_line(&one.statement),
        source: one.source.trim().to_owned(),
        quotation: sanitise::clean(&one.quotation).trim().to_owned(),
    };
    let (findings, left_out) = held(journal, errand, found.into_iter().map(clean).collect());
    let mut judged = judged(journal, &findings);
    for Viewed { source, credibility, why } in sources {
        if let Some(judged) = judged.iter_mut().find(|judged| judged.source == source.trim()) {
            judged.view =
                Some(CredibilityView { score: credibility.clamp(0.0, 1.0), why: sanitise::excerpt(&why, 300) });
        }
    }
    Ok(ResearchTurn { findings: Some(findings), left_out, judged, ..ResearchTurn::default() })
}
