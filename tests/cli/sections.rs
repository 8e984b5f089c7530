//! A first draft that a small model writes section by section, and one that is asked for once more.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;

use crate::support::{
    many::until,
    newsroom::Newsroom,
    script,
    server::{Call, Reply, Server},
};

const SOURCE: &str = "The council of Eastbrook voted seven to two on Tuesday to renovate Miller Park.\n\n\
    DANA RUIZ: We may begin in April. The pond will be cleaned first.\n\n\
    The plan lays 1.4 miles of paths around the pond. It costs $2 million. Nobody has said who pays for the lamps.";

const VOTE: &str = "Eastbrook’s council voted seven to two to renovate Miller Park.";
const WORK: &str = "Work may begin in April, said Dana Ruiz. The pond will be cleaned first.";
const MONEY: &str = "The plan costs $2 million. It marks a significant milestone for wildlife conservation.";

fn section(call: &Call) -> &'static str {
    match call.user.split_once("is about: ").map(|(_, point)| point.split('\n').next().unwrap_or_default()) {
        Some("the council voted") => VOTE,
        Some("April") => WORK,
        _ => MONEY,
    }
}

/// A model that plans, writes, adds something, and takes it back.
fn writes(call: &Call) -> Reply {
    Reply::Text(match call.agent.as_str() {
        "draft_plan" => json!({"sections": [
            {"point": "the council voted", "lines": [1]}, {"point": "April", "lines": [2, 3]}, {"point": "how much it costs", "lines": [4, 5]}
        ]})
        .to_string(),
        "draft_section" => section(call).to_owned(),
        "draft_mend" => "1. OUT".to_owned(),
        "draft_heads" => {
            json!({"headline": "A park plan passes", "alternativeHeadline": "Seven to two", "description": "The council voted."})
                .to_string()
        }
        _ => return script::usual(call),
    })
}

fn in_sections(server: &Server) -> (Newsroom, std::path::PathBuf) {
    let newsroom =
        Newsroom::at_with(&server.base(), |yaml| yaml.replace("writer_mode: whole", "writer_mode: sections"));
    let topic = newsroom.topic_with(|topic| {
        topic["source_text"] = json!(SOURCE);
        topic["target_length_words"] = json!("25-40");
    });
    (newsroom, topic)
}

#[test]
fn the_sections_are_joined_into_the_contracts_article_without_what_they_add() {
    let server = Server::start(writes);
    let (newsroom, topic) = in_sections(&server);
    let done = newsroom.auto(&topic);
    assert_eq!(done.code, 0, "{}", done.err);
    let agents: Vec<String> = server.calls().into_iter().map(|call| call.agent).collect();
    let expected = [
        "draft_plan",
        "draft_section",
        "draft_section",
        "draft_section",
        "draft_mend",
        "draft_heads",
        "article_review",
    ];
    assert_eq!(agents, expected);
    let article = &newsroom.canonical()["article"];
    let expected = json!({
        "headline": "A park plan passes",
        "alternativeHeadline": "Seven to two",
        "articleBody": format!("{VOTE}\n\n{WORK}\n\nThe plan costs $2 million."),
        "description": "The council voted."
    });
    assert_eq!(*article, expected);
    let sections: Vec<Call> = server.calls().into_iter().filter(|call| call.agent == "draft_section").collect();
    assert!(sections[1].user.contains(VOTE) && !sections[1].user.contains("1.4 miles"), "{}", sections[1].user);
    let mended = server.calls().into_iter().find(|call| call.agent == "draft_mend").unwrap().user;
    assert!(mended.contains("1. It marks a significant milestone") && mended.contains("(without: "), "{mended}");
    let log = newsroom.ran(&["log", "park"]).out;
    assert!(log.contains("a plan of 3 sections") && log.contains("1 sentence says more than the source"), "{log}");
    newsroom.ran(&["replay", "park"]);
}

#[test]
fn a_kill_between_sections_loses_one_call_and_a_fork_repeats_what_follows_it() {
    let hung = AtomicUsize::new(0);
    let server = Server::start(move |call| {
        if call.agent == "draft_section" && section(call) == WORK && hung.fetch_add(1, Ordering::SeqCst) == 0 {
            Reply::Hang
        } else {
            writes(call)
        }
    });
    let (newsroom, topic) = in_sections(&server);
    let mut child = newsroom.start(&["run", "--auto", topic.to_str().unwrap()]);
    until("the second section is asked for", || server.count("draft_section") == 2);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(newsroom.run(&["resume"]).code, 0);
    let counts = || ["draft_plan", "draft_section", "draft_mend", "draft_heads"].map(|agent| server.count(agent));
    assert_eq!(counts(), [1, 4, 1, 1], "only the call in flight is made again");
    let article = newsroom.canonical()["article"].clone();
    newsroom.ran(&["replay", "park"]);
    let forked = newsroom.run(&["fork", "park", "--at", "draft.s2"]);
    assert_eq!(forked.code, 0, "{}", forked.err);
    assert_eq!(counts()[0], 1, "the plan is taken over");
    assert_eq!(newsroom.canonical()["article"], article);
}

#[test]
fn a_section_that_nobody_mends_stays_as_it_was_and_is_reviewed() {
    let server = Server::start(|call| match call.agent.as_str() {
        "draft_mend" => Reply::Text("They are fine.".into()),
        _ => writes(call),
    });
    let (newsroom, topic) = in_sections(&server);
    let done = newsroom.auto(&topic);
    assert_eq!(done.code, 0, "{}", done.err);
    let body = newsroom.canonical()["article"]["articleBody"].as_str().unwrap().to_owned();
    assert!(body.ends_with(MONEY), "{body}");
    newsroom.ran(&["replay", "park"]);
}

#[test]
fn a_revision_in_sections_writes_the_sentences_that_to_dos_are_about() {
    let verdict = |call: &Call| {
        let to_do =
            if script::concern(call) == 1 { "Say who spoke." } else { "Write “in May” instead of “in April”." };
        json!({
            "concern_id": script::concern(call), "misleading": true, "status": "REWRITE", "rationale": "The notes say it.",
            "suggested_fix": to_do, "evidence": null, "citations": null
        })
    };
    let server = Server::start(move |call| {
        match call.agent.as_str() {
        "article_review" if call.before == 0 => {
            Reply::Text("- \"The pond will be cleaned first\": who says so?\n- \"Work may begin in April\": when?".into())
        }
        "article_review" => Reply::Text("No concerns.".into()),
        "concern_mapping" => Reply::Text(
            json!({"mappings": [
                {"concern_id": 1, "concern_type": "missing_attribution", "selected_agent": "attribution", "confidence": "high", "reason": "r"},
                {"concern_id": 2, "concern_type": "inferred_fact", "selected_agent": "fact_check", "confidence": "high", "reason": "r"}
            ]})
            .to_string(),
        ),
        "attribution" | "fact_check" | "opinion" | "style_review" => Reply::Text(verdict(call).to_string()),
        "draft_revise" if call.before == 0 => Reply::Text("I revise the story.".into()),
        "draft_revise" => Reply::Text("6. The pond will be cleaned first, Ruiz said.".into()),
        _ => writes(call),
    }
    });
    let (newsroom, topic) = in_sections(&server);
    let done = newsroom.auto(&topic);
    assert_eq!((done.code, server.count("revision"), server.count("draft_revise")), (0, 0, 2), "{}", done.err);
    let asked = server.calls().into_iter().rfind(|call| call.agent == "draft_revise").unwrap();
    let said = serde_json::to_string(&asked.body).unwrap();
    assert!(
        said.contains("5. Work may begin in May, said Dana Ruiz.")
            && said.contains(r"6. The pond will be cleaned first.\n- Say who spoke."),
        "{said}"
    );
    assert!(!said.contains("Write “in May”") && said.contains("it has no numbered sentence"), "{said}");
    let revised = "Work may begin in May, said Dana Ruiz. The pond will be cleaned first, Ruiz said.";
    let body = newsroom.canonical()["article"]["articleBody"].as_str().unwrap().to_owned();
    assert_eq!(body, format!("{VOTE}\n\n{revised}\n\nThe plan costs $2 million."));
    newsroom.ran(&["replay", "park"]);
}

/// A writer of one call, whose answers get longer.
fn grows(call: &Call) -> Reply {
    let article = |body: String| json!({"headline": "A park plan passes", "alternativeHeadline": "7-2", "articleBody": body, "description": "A vote."});
    match call.agent.as_str() {
        "writer" => {
            Reply::Text(article("The council voted. ".repeat(if call.before == 0 { 2 } else { 10 })).to_string())
        }
        _ => script::usual(call),
    }
}

#[test]
fn a_short_draft_is_asked_for_once_more_and_the_better_one_is_the_draft() {
    let server = Server::start(grows);
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic_with(|topic| topic["target_length_words"] = json!("40-60"));
    let done = newsroom.auto(&topic);
    assert_eq!((done.code, server.count("writer")), (0, 2), "{}", done.err);
    let again = &server.calls()[1];
    let messages = again.body["messages"].as_array().unwrap();
    let said: Vec<&str> = messages.iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(said, ["system", "user", "assistant", "user"]);
    let note = messages[3]["content"].as_str().unwrap();
    assert!(note.contains("It has 6 words, and 40-60 were asked for."), "{note}");
    assert_eq!(newsroom.canonical()["article"]["articleBody"].as_str().unwrap().split_whitespace().count(), 30);
    assert!(!done.out.contains("Short: "), "{}", done.out);
    let draft = newsroom.runs().remove(0).join("iter1_writer_draft.json");
    let draft: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(draft).unwrap()).unwrap();
    assert_eq!(draft, newsroom.canonical()["article"]);
    newsroom.ran(&["replay", "park"]);
}

#[test]
fn what_stays_short_is_said_in_the_table_at_the_gate_and_in_the_report() {
    let server = Server::start(grows);
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic_with(|topic| topic["target_length_words"] = json!("900-1200"));
    let done = newsroom.auto(&topic);
    assert_eq!((done.code, server.count("writer")), (0, 2), "short is no failure: {}", done.err);
    for told in [done.out, done.err, newsroom.ran(&["show", "park"]).out] {
        assert!(told.contains("Short: 30 words; target 900"), "{told}");
    }
    let report = newsroom.ran(&["export", "park", "--format", "report"]).out;
    assert!(report.contains("Short: 30 words; target 900"), "{report}");
    assert!(!newsroom.ran(&["list"]).out.contains("flagged"), "nor is it a flag");
    // A second draft that never comes costs the first nothing.
    let server = Server::start(|call| match (call.agent.as_str(), call.before) {
        ("writer", 1..) => Reply::Text("No JSON.".into()),
        _ => grows(call),
    });
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic_with(|topic| topic["target_length_words"] = json!("900-1200"));
    let done = newsroom.auto(&topic);
    assert!(done.code == 0 && done.out.contains("Short: 6 words; target 900"), "{} {}", done.out, done.err);
}

#[test]
fn a_draft_that_is_its_source_word_for_word_is_told_of() {
    let server = Server::start(|call| {
        match call.agent.as_str() {
        "writer" => Reply::Text(
            json!({"headline": "A park plan passes", "alternativeHeadline": "7-2", "articleBody": SOURCE, "description": "A vote."})
                .to_string(),
        ),
        _ => script::usual(call),
    }
    });
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic_with(|topic| topic["source_text"] = json!(SOURCE));
    let done = newsroom.auto(&topic);
    assert_eq!((done.code, server.count("writer")), (0, 2), "{}", done.err);
    assert!(done.out.contains("Word for word: 100 % of the text stands in a source just so"), "{}", done.out);
}
