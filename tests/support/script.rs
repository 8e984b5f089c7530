//! The usual story: a draft with five concerns, one for each specialist; three are upheld, the revision settles them.

use serde_json::json;

use super::server::{Call, Latch, Reply};

pub const EXCERPTS: [&str; 5] =
    ["begin in April", "a fifth of the budget", "A park plan passes", "said the parks director", "Residents who spoke"];

pub fn article(number: u32) -> String {
    let body = "The council voted seven to two on Tuesday to renovate Miller Park. Work will begin in April, said the parks director. \
        Lighting is a fifth of the budget.\n\nResidents who spoke at the hearing asked for benches — “more shade”, they said.";
    json!({
        "headline": format!("A park plan passes (draft {number})"),
        "alternativeHeadline": "Seven to two",
        "articleBody": body,
        "description": "The council approved a renovation.",
    })
    .to_string()
}

pub fn bullets() -> String {
    EXCERPTS.map(|excerpt| format!("- “{excerpt}” unsupported_fact: the source does not say so.")).join("\n")
}

pub fn mapping() -> String {
    let agents = ["fact_check", "evidence_finding", "opinion", "attribution", "style_review"];
    let mappings: Vec<_> = agents
        .iter()
        .zip(1..)
        .map(|(agent, id): (_, u32)| {
            json!({"concern_id": id, "concern_type": "unsupported_fact", "selected_agent": agent, "confidence": "high", "reason": "fits"})
        })
        .collect();
    json!({ "mappings": mappings }).to_string()
}

pub fn verdict(concern: u32) -> String {
    let (status, fix) = match concern {
        1 => ("REWRITE", json!("Say that the month is not decided.")),
        2 => ("REMOVE", json!("Delete the share of the budget.")),
        3 => ("REWRITE", json!("Name the vote in the headline.")),
        _ => ("KEEP", json!(null)),
    };
    json!({
        "concern_id": concern, "misleading": concern <= 3, "status": status, "rationale": format!("Rationale {concern}."),
        "suggested_fix": fix, "evidence": null, "citations": null
    })
    .to_string()
}

/// The concern that a specialist is asked about.
pub fn concern(call: &Call) -> u32 {
    call.user
        .split_once("CONCERN_ID: ")
        .and_then(|(_, rest)| rest.split_whitespace().next())
        .and_then(|number| number.parse().ok())
        .unwrap_or(0)
}

/// What the usual story's model says to a call. Depends on the call's text alone, so that a repeated call is answered alike.
pub fn text(call: &Call) -> String {
    match call.agent.as_str() {
        "writer" => article(1),
        "revision" => article(2),
        "article_review" if call.user.contains("(draft 1)") => bullets(),
        "article_review" => "No concerns.".to_owned(),
        "concern_mapping" => mapping(),
        _ => verdict(concern(call)),
    }
}

/// The usual story, streamed.
pub fn usual(call: &Call) -> Reply {
    Reply::Text(text(call))
}

/// The usual story, but `agent`'s first `times` calls are answered by `reply`.
pub fn but(agent: &'static str, times: usize, reply: Reply) -> impl Fn(&Call) -> Reply + Send + Sync {
    move |call| if call.agent == agent && call.before < times { reply.clone() } else { usual(call) }
}

/// The usual, but a writer's answer stops after its first characters until the latch opens.
pub fn held(latch: &Latch) -> impl Fn(&Call) -> Reply + Send + Sync + use<> {
    let latch = latch.clone();
    move |call| match call.agent.as_str() {
        "writer" => Reply::Held(text(call), 120, latch.clone()),
        _ => usual(call),
    }
}
