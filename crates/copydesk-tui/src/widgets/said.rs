//! The names of agents, steps and decisions on the screen.

use crate::widgets::words;
use copydesk_core::editorial::{changes::in_words, decisions};
use copydesk_newsroom::{Choice, Decision, ResearchErrand, Step, TriageWay};
use copydesk_text::sanitise;

/// A decision in a sentence.
pub fn decision_words(decision: &Decision) -> String {
    let said = match &decision.choice {
        Choice::Override { concern, status, fix, reason } => {
            let fix = fix.as_ref().map_or_else(String::new, |fix| format!(" To do: {fix}"));
            format!("concern {concern} is {}: {reason}{fix}", status.name())
        }
        Choice::Accept { finding, reason } => format!("finding {finding} may stand: {reason}"),
        Choice::Plan { text } => format!("questions: {}", decisions::lines(text).join(" / ")),
        Choice::Feedback { text } => format!("to do: {}", decisions::lines(text).join(" / ")),
        Choice::Edit { article } => {
            format!("the next draft is your own text of {}", words::count(article.words(), "word"))
        }
        Choice::Applied { concern, .. } => format!("the fix for concern {concern} is made in the text"),
        Choice::Triage { concern, way: TriageWay::Research, question } => {
            let question = question.as_ref().map_or_else(String::new, |question| format!(": {question}"));
            format!("concern {concern} goes to the Reporter{question}")
        }
        Choice::Triage { concern, way: TriageWay::Rewrite, .. } => format!("concern {concern} goes to the writer"),
        Choice::Research { question } => format!("the Reporter is to find out: {question}"),
        Choice::AddSource { name, .. } => format!("{name} is a source"),
        Choice::RemoveSource { name, reason } => format!("{name} is no source any more: {reason}"),
        Choice::DistrustSource { name, reason } => format!("{name} is distrusted, nothing rests on it: {reason}"),
        Choice::Call { call, allows, note } => {
            let note = if note.is_empty() { String::new() } else { format!(": {note}") };
            format!("{} {}{note}", step_words(*call), if *allows { "allowed" } else { "refused" })
        }
        Choice::Comment { about, text } if about.is_empty() => format!("note: {text}"),
        Choice::Comment { about, text } => format!("note on “{about}”: {text}"),
        Choice::AcceptChange { removed, added, .. } => format!("change accepted: {}", in_words(removed, added)),
        Choice::AnotherRound => "one round more".to_owned(),
        Choice::Undo { number } => format!("decision {number} no longer counts"),
        Choice::Continue => "sent on".to_owned(),
        Choice::Stet { reason } => format!("stet, accepted as it stands: {reason}"),
        Choice::Spike { reason } => format!("spiked: {reason}"),
        Choice::SignOff { .. } => "signed off".to_owned(),
        Choice::SendBack { text } => format!("sent back: {}", decisions::lines(text).join(" / ")),
    };
    sanitise::one_line(&format!("{}: {said}", decision.by))
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

/// An errand of the Reporter, as a part of a sentence.
fn errand_words(errand: ResearchErrand) -> String {
    match errand {
        ResearchErrand::Pass(pass) => format!("research {pass}"),
        ResearchErrand::Round(round) => format!("the research of round {round}"),
    }
}

/// `text` with a capital at its beginning.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
