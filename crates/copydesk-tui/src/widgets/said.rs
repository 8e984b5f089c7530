//! The names of agents and decisions on the screen.

use crate::widgets::words;
use copydesk_core::desk::particulars;
use copydesk_newsroom::Decision;
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
        other => words::capital(&words::plain(&sanitise::one_line(other))),
    }
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
        "triage" => "concern sent the other way",
        "research" => "Reporter sent",
        "add_source" => "source added",
        "remove_source" => "source removed",
        "distrust_source" => "source distrusted",
        "another_round" => "one more round",
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
