//! The Reporter and the Editor at research: the questions of an assignment, the turns of an errand, whether they are answered, which
//! verdicts need research. By model where one is configured, otherwise by rule.

mod asked;
mod by_rule;
mod conversation;
mod turn;

use schemars::JsonSchema;
use serde::Deserialize;

use self::asked::{COVERAGE, MOST_QUESTIONS, PLAN, TRIAGE, is_last, open_verdicts};
pub use self::by_rule::plan as questions_by_rule;
pub use self::conversation::ConversationSavings;
pub(super) use self::turn::with_tools;
use super::{
    material::Windows,
    questions::QuestionsAnswer,
    reading::{self, ReadingNote, UnusableAnswer},
    template::Prompts,
};
use crate::{
    editorial::{
        gate::numbered,
        research::{LONGEST_QUESTION, questions},
    },
    ports::Ask,
};
use copydesk_newsroom::{
    Agent, Answer, Covered, Journal, Outcome, QuestionCoverage, ResearchErrand, Step, Tool, TriageWay, Triaged, Verdict,
};
use copydesk_text::sanitise;

/// Returns the question to a model for a step; none if a rule does the step.
pub(super) fn ask(prompts: &Prompts, windows: &Windows, journal: &Journal, step: Step, tools: &[Tool]) -> Option<Ask> {
    let topic = &journal.opening.topic;
    let title = ("TOPIC_TITLE", topic.source_metadata.topic_title.clone());
    let (agent, name, values, schema) = match step {
        Step::Plan => (
            Agent::Reporter,
            PLAN,
            vec![("ASSIGNMENT", topic.source_text.clone()), title],
            reading::schema::<QuestionsAnswer>("questions"),
        ),
        Step::Turn { errand, turn } => return turn::ask(prompts, windows, journal, errand, turn, tools),
        Step::Coverage { pass } => {
            let asked = questions(journal, ResearchErrand::Pass(pass));
            let numbers: Vec<u32> = (1..).take(asked.len()).collect();
            let values = vec![
                ("ASSIGNMENT", topic.source_text.clone()),
                ("QUESTIONS", numbered(&asked)),
                ("FINDINGS", turn::findings_json(journal, ResearchErrand::Pass(pass))?),
            ];
            let mut schema = reading::schema::<CoverageAnswer>("coverage");
            reading::one_each(&mut schema, "/properties/questions", "question", &numbers);
            (Agent::Editor, COVERAGE, values, schema)
        }
        Step::Triage { round } => {
            let open: Vec<Verdict> = open_verdicts(journal, round);
            let concerns = &journal.concerns(round)?.concerns;
            let concerned: Vec<_> = concerns
                .iter()
                .filter(|concern| open.iter().any(|verdict| verdict.concern_id == concern.concern_id))
                .collect();
            let values = vec![
                ("CONCERNS", serde_json::to_string_pretty(&concerned).ok()?),
                ("VERDICTS", serde_json::to_string_pretty(&open).ok()?),
                title,
            ];
            let mut schema = reading::schema::<TriageAnswer>("triage");
            let numbers: Vec<u32> = open.iter().map(|verdict| verdict.concern_id).collect();
            reading::one_each(&mut schema, "/properties/ways", "concern_id", &numbers);
            (Agent::Editor, TRIAGE, values, schema)
        }
        _ => return None,
    };
    prompts.ask(agent, name, &values, Some(schema))
}

/// A turn of the Reporter by rule.
pub(super) fn turn_by_rule(journal: &Journal, errand: ResearchErrand, turn: u32, tools: &[Tool]) -> Outcome {
    Outcome::Turn(by_rule::turn(journal, errand, turn, tools))
}

/// Does a step by rule; none if it is not research, or needs to know the tools.
pub(super) fn done_by_rule(journal: &Journal, step: Step) -> Option<Outcome> {
    match step {
        Step::Plan => Some(Outcome::Questions(by_rule::plan(&journal.opening.topic.source_text))),
        Step::Coverage { pass } => Some(Outcome::Coverage(by_rule::coverage(journal, pass))),
        Step::Triage { round } => Some(Outcome::Triage(by_rule::triage(journal, round))),
        _ => None,
    }
}

/// Reads a model's answer.
pub(super) fn read(journal: &Journal, step: Step, answer: &Answer) -> Result<Outcome, UnusableAnswer> {
    match step {
        Step::Plan => {
            read_questions(&reading::json::<QuestionsAnswer>(&answer.text)?.questions, 1).map(Outcome::Questions)
        }
        Step::Turn { errand, turn } => turn::read(journal, errand, turn, answer).map(Outcome::Turn),
        Step::Coverage { pass } => read_coverage(journal, pass, answer).map(Outcome::Coverage),
        Step::Triage { round } => read_triage(journal, round, answer).map(Outcome::Triage),
        _ => Err(UnusableAnswer::new("no model is asked for this step")),
    }
}

/// The outcome by rule of a step whose model keeps giving answers of the right form that cannot be used. A report needs no form: whatever it
/// says, rules can search or quote in its place. A model that never stops calling tools gets none.
pub(super) fn completed(journal: &Journal, step: Step, tools: &[Tool], answer: &Answer) -> Option<Outcome> {
    let has_form = match step {
        Step::Turn { errand, turn } if answer.calls.is_empty() => {
            return Some(turn_by_rule(journal, errand, turn, tools));
        }
        Step::Plan => reading::json::<QuestionsAnswer>(&answer.text).is_ok(),
        Step::Coverage { .. } => reading::json::<CoverageAnswer>(&answer.text).is_ok(),
        Step::Triage { .. } => reading::json::<TriageAnswer>(&answer.text).is_ok(),
        _ => false,
    };
    has_form.then(|| done_by_rule(journal, step)).flatten()
}

/// Returns the notes on what was taken off the answer to a turn, or mended in it.
pub(super) fn turn_notes(text: &str) -> Result<Vec<ReadingNote>, UnusableAnswer> {
    reading::notes::<turn::FindingsAnswer>(text)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CoverageAnswer {
    questions: Vec<CoveredAnswer>,
    requests: Vec<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CoveredAnswer {
    question: u32,
    answered: bool,
    why: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TriageAnswer {
    ways: Vec<WayAnswer>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WayAnswer {
    concern_id: u32,
    way: TriageWay,
    why: String,
}

/// Questions, each on one line, none empty or endless, each once.
fn read_questions(written: &[String], least: usize) -> Result<Vec<String>, UnusableAnswer> {
    let mut questions: Vec<String> = Vec::new();
    for question in written {
        let question = sanitise::one_line(&reading::required("a question", question)?);
        if question.len() > LONGEST_QUESTION {
            return Err(UnusableAnswer::new(format!("a question is longer than {LONGEST_QUESTION} bytes")));
        }
        if !questions.contains(&question) {
            questions.push(question);
        }
    }
    if (least..=MOST_QUESTIONS).contains(&questions.len()) {
        Ok(questions)
    } else {
        Err(UnusableAnswer::new(format!(
            "it has {} questions; {least} to {MOST_QUESTIONS} are wanted",
            questions.len()
        )))
    }
}

/// Each question of the pass once, in any order. A last pass asks for nothing more.
fn read_coverage(journal: &Journal, pass: u32, answer: &Answer) -> Result<QuestionCoverage, UnusableAnswer> {
    let mut given = reading::json::<CoverageAnswer>(&answer.text)?;
    given.questions.sort_by_key(|covered| covered.question);
    let asked = questions(journal, ResearchErrand::Pass(pass)).len();
    let numbers: Vec<u32> = given.questions.iter().map(|covered| covered.question).collect();
    if !numbers.iter().copied().eq((1..).take(asked)) {
        return Err(UnusableAnswer::new(format!("it speaks of the questions {numbers:?}, and there are 1 to {asked}")));
    }
    if given.questions.iter().any(|covered| covered.answered && reading::is_placeholder(&covered.why)) {
        return Err(UnusableAnswer::new("it calls a question answered, and its why is a placeholder"));
    }
    let covered =
        |covered: CoveredAnswer| Covered { answered: covered.answered, why: sanitise::excerpt(&covered.why, 300) };
    let requests = read_questions(&given.requests, 0)?;
    let requests = if is_last(journal, pass) { Vec::new() } else { requests };
    Ok(QuestionCoverage { questions: given.questions.into_iter().map(covered).collect(), requests })
}

/// Reads the answer, which must have each open verdict once, in any order.
fn read_triage(journal: &Journal, round: u32, answer: &Answer) -> Result<Vec<Triaged>, UnusableAnswer> {
    let mut given = reading::json::<TriageAnswer>(&answer.text)?.ways;
    given.sort_by_key(|way| way.concern_id);
    let open: Vec<u32> = open_verdicts(journal, round).iter().map(|verdict| verdict.concern_id).collect();
    let numbers: Vec<u32> = given.iter().map(|way| way.concern_id).collect();
    if numbers != open {
        return Err(UnusableAnswer::new(format!("it speaks of the concerns {numbers:?}, and {open:?} are open")));
    }
    let triaged =
        |way: WayAnswer| by_rule::triaged(journal, round, way.concern_id, way.way, sanitise::excerpt(&way.why, 300));
    Ok(given.into_iter().map(triaged).collect())
}
