//! The names of agents, steps and decisions on the screen.

use crate::widgets::words;
use copydesk_core::desk::particulars;
use copydesk_newsroom::{Decision, ResearchErrand, Step};
use copydesk_text::sanitise;

/// A decision in a sentence, such as `Ada: verdict overruled, concern 2: KEEP: so it is`.
pub fn decision_words(decision: &Decision) -> String {
    let (concern, particulars) = particulars(&decision.choice);
    let said = choice_words(decision.choice.name());
    let concern = concern.map_or_else(String::new, |concern| format!(", concern {concern}"));
    let colon = if particulars.is_empty() { "" } else { ": " };
    sanitise::one_line(&format!("{}: {said}{concern}{colon}{particulars}", decision.by))
}

/// An agent's name as a newsroom says it.
pub fn agent_words(agent: &str) -> String {
    match agent {
        "article_review" => "Reviewer".to_owned(),
        "concern_mapping" => "Assigning".to_owned(),
        "style_review" => "Style".to_owned(),
        "evidence_search" => "Search outside".to_owned(),
        other => capital(&words::plain(&sanitise::one_line(other))),
    }
}

/// A step as a newsroom says it.
pub fn step_words(step: Step) -> String {
    match step {
        Step::Plan => "questions of the assignment".to_owned(),
        Step::Turn { errand, turn } => format!("turn {turn} of {}", errand_words(errand)),
        Step::Tool { errand, turn, call } => format!("call {call} in turn {turn} of {}", errand_words(errand)),
        Step::Coverage { pass } => format!("what research {pass} left open"),
        Step::Dossier => "dossier".to_owned(),
        Step::Triage { round } => format!("triage of round {round}"),
        Step::Draft => "first draft".to_owned(),
        Step::Write(writing) => format!("first draft, {}", writing.in_words()),
        Step::Claims { round } => format!("claims of round {round}"),
        Step::Prove { round } => format!("proof of round {round}"),
        Step::Opinion { round, batch } => format!("second opinion {batch} of round {round}"),
        Step::Sections { round } => format!("sections for the review of round {round}"),
        Step::ReviewSection { round, section } => format!("review of round {round}, section {section}"),
        Step::Review { round } => format!("review of round {round}"),
        Step::Parse { round } => format!("concerns of round {round}"),
        Step::Map { round } => format!("assigning in round {round}"),
        Step::Questions { round, concern } => format!("questions for concern {concern} of round {round}"),
        Step::LookUp { round, concern } => format!("look-up for concern {concern} of round {round}"),
        Step::Search { round, concern } => format!("search for concern {concern} of round {round}"),
        Step::Open { round, concern } => format!("citations for concern {concern} of round {round}"),
        Step::Judge { round, concern } => format!("concern {concern} of round {round}"),
        Step::Decide { round, number } => format!("decision {number} of round {round}"),
        Step::Gate { round } => format!("gate of round {round}"),
        Step::Prepare { round } => format!("Publisher in round {round}"),
        Step::Feedback { round } => format!("feedback of round {round}"),
        Step::Revise { round } => format!("revision after round {round}"),
        Step::Publish => "the end of the run".to_owned(),
    }
}

/// An errand, as a part of a sentence.
fn errand_words(errand: ResearchErrand) -> String {
    match errand {
        ResearchErrand::Pass(pass) => format!("research {pass}"),
        ResearchErrand::Round(round) => format!("the research of round {round}"),
        ResearchErrand::Gaps(pass) => format!("what research {pass} left open"),
        ResearchErrand::Check { round, concern } => format!("concern {concern} of round {round}"),
    }
}

/// `text` with a capital at its beginning.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The stable word of a choice as a newsroom says it.
pub fn choice_words(choice: &str) -> &str {
    match choice {
        "override" => "verdict overruled",
        "accept" => "finding accepted",
        "allow" => "call allowed",
        "refuse" => "call refused",
        "plan" => "questions changed",
        "comment" => "note",
        "accept_change" => "change accepted",
        "feedback" => "to-dos added",
        "edit" => "text edited",
        "triage" => "triage changed",
        "research" => "Reporter sent",
        "add_source" => "source added",
        "remove_source" => "source removed",
        "distrust_source" => "source distrusted",
        "another_round" => "one round more",
        "undo" => "undone",
        "continue" => "sent on",
        "applied" => "fix accepted",
        "stet" => "stet",
        "spike" => "spiked",
        "sign_off" => "signed off",
        "send_back" => "sent back",
        other => other,
    }
}
