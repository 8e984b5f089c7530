//! Findings of the proof beside a model that has nothing to object: the real binary against a scripted server.

use serde_json::{Value, json};

use crate::support::{
    newsroom::{Done, Newsroom},
    script,
    server::{Call, Reply, Server},
};

const SOURCE: &str = "The council met on Tuesday. “We have the money for the park, and nobody will take it away from us,” said Ana Reyes, the \
                      mayor. Work begins in April.";

/// One word of the quotation is another's.
const BODY: &str = "The council met on Tuesday. “We have the money for the park, and nobody will give it away from us,” said Ana Reyes, the \
                    mayor. Work begins in April.";

/// A reviewer without an objection, a model that routes nothing, a specialist who keeps everything.
fn complacent(call: &Call) -> Reply {
    Reply::Text(match call.agent.as_str() {
        "writer" | "revision" => json!({
            "headline": "Council met on Tuesday", "alternativeHeadline": "Work begins in April",
            "articleBody": BODY, "description": "The council met on Tuesday.",
        })
        .to_string(),
        "article_review" => "No concerns.".to_owned(),
        "concern_mapping" => json!({ "mappings": [] }).to_string(),
        _ => json!({
            "concern_id": script::concern(call), "misleading": false, "status": "KEEP", "rationale": "Near enough.",
            "suggested_fix": null, "evidence": null, "citations": null,
        })
        .to_string(),
    })
}

fn newsroom(server: &Server) -> Newsroom {
    let newsroom = Newsroom::at_with(&server.base(), |yaml| yaml.replacen("  enabled: false", "  enabled: true", 2));
    newsroom.topic_with(|topic| topic["source_text"] = json!(SOURCE));
    newsroom
}

fn file(newsroom: &Newsroom, name: &str) -> String {
    let runs = newsroom.runs();
    assert_eq!(runs.len(), 1, "{runs:?}");
    std::fs::read_to_string(runs[0].join(name)).unwrap()
}

fn decide(newsroom: &Newsroom, words: &[&str]) -> Done {
    newsroom.run(&[&["decide", "park"], words].concat())
}

#[test]
fn a_model_that_keeps_everything_does_not_keep_a_false_quotation_from_the_desk() {
    let server = Server::start(complacent);
    let newsroom = newsroom(&server);
    let done = newsroom.run(&["run", "--auto", "park.json"]);
    assert_eq!(done.code, 0, "a flag changes no exit code: {}", done.err);
    assert_eq!(
        file(&newsroom, "iter1_article_review_raw.md"),
        "- “We have the money for the park, and nobody will give it away from us,” unsupported_fact: The source has other words \
         here."
    );
    let mapping: Value = serde_json::from_str(&file(&newsroom, "iter1_concern_mapping.json")).unwrap();
    assert_eq!(mapping["mappings"][0]["selected_agent"], "fact_check");
    assert_eq!(server.count("fact_check"), 1, "the concern goes to its specialist as any other does");
    let found: Value = serde_json::from_str(&file(&newsroom, "iter1_proof.json")).unwrap();
    assert_eq!((&found[0]["rule"], &found[0]["blocks"]), (&json!("quotation.altered"), &json!(true)));
    assert_eq!(newsroom.canonical()["success"], true);
    assert!(done.out.contains("flagged: a quotation that no source carries as it stands"), "{}", done.out);
    // Going on is of no use: it ended. The log tells what was proved before anybody was asked.
    let log = newsroom.run(&["log", "park"]).out;
    assert!(log.find("r1.proof").unwrap() < log.find("r1.review").unwrap(), "{log}");
}

#[test]
fn nobody_signs_before_a_human_has_said_that_the_words_may_stand() {
    let server = Server::start(complacent);
    let newsroom = newsroom(&server);
    let done = newsroom.run(&["run", "--plain", "park.json"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let gate = decide(&newsroom, &["continue", "--resume"]);
    assert_eq!(gate.code, 0, "{}", gate.err);
    let refused = decide(&newsroom, &["sign-off"]);
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(refused.err.contains("accept finding 1 (“We have the money"), "{}", refused.err);
    let shown = newsroom.run(&["show", "park"]).out;
    assert!(shown.contains("blocks the sign-off") && shown.contains("accept finding NUMBER --reason TEXT"), "{shown}");
    let accepted = decide(&newsroom, &["accept", "finding", "1", "--reason", "I hold the tape, and she says give."]);
    assert_eq!(accepted.code, 0, "{}", accepted.err);
    let signed = decide(&newsroom, &["sign-off", "--resume"]);
    assert_eq!(signed.code, 0, "{}", signed.err);
    let shown = newsroom.run(&["show", "park"]).out;
    assert!(shown.contains("accepted by The editor: I hold the tape, and she says give."), "{shown}");
    assert!(!signed.out.contains("flagged"), "{}", signed.out);
    let decisions: Value = serde_json::from_str(&file(&newsroom, "iter1_decisions.json")).unwrap();
    let kept = decisions.as_array().unwrap().iter().find(|row| !row["accepted_finding"].is_null()).unwrap();
    assert_eq!(kept["accepted_finding"]["rule"], "quotation.altered");
    assert_eq!(kept["decision"]["accept"]["reason"], "I hold the tape, and she says give.");
}

#[test]
fn without_the_proof_a_model_has_the_last_word() {
    let server = Server::start(complacent);
    let newsroom = Newsroom::at(&server.base());
    newsroom.topic_with(|topic| topic["source_text"] = json!(SOURCE));
    let done = newsroom.run(&["run", "--auto", "park.json"]);
    assert_eq!((done.code, file(&newsroom, "iter1_article_review_raw.md").as_str()), (0, ""), "{}", done.err);
    assert!(!done.out.contains("flagged"), "{}", done.out);
}

const TAPE: &str = "I hold the tape, and she says give.";

fn json(newsroom: &Newsroom, name: &str) -> Value {
    serde_json::from_str(&file(newsroom, name)).unwrap()
}

#[test]
fn what_a_human_let_stand_is_not_judged_again_in_the_next_round() {
    let server = Server::start(complacent);
    let newsroom = newsroom(&server);
    assert_eq!(newsroom.run(&["run", "--plain", "park.json"]).code, 0);
    assert_eq!(decide(&newsroom, &["accept", "finding", "1", "--reason", TAPE]).code, 0);
    assert_eq!(decide(&newsroom, &["feedback", "Say more about the park."]).code, 0);
    let gate = decide(&newsroom, &["continue", "--resume"]);
    assert_eq!(gate.code, 0, "{}", gate.err);
    assert_eq!(server.count("article_review"), 2);
    assert_eq!(server.count("fact_check"), 1, "no specialist is asked about it in round 2");
    let shown = newsroom.run(&["show", "park"]).out;
    assert!(shown.contains(&format!("KEEP: The editor let it stand in round 1: {TAPE}")), "{shown}");
    let first = json(&newsroom, "iter1_proof.json");
    let found = json(&newsroom, "iter2_proof.json");
    assert_eq!((&first[0]["accepted"], &found[0]["rule"]), (&Value::Null, &json!("quotation.altered")));
    let accepted = &found[0]["accepted"];
    assert_eq!(
        (&accepted["round"], &accepted["by"], &accepted["reason"]),
        (&json!(1), &json!("The editor"), &json!(TAPE))
    );
    // Nothing blocks the sign-off.
    let passed = decide(&newsroom, &["continue", "--resume"]);
    assert_eq!((passed.code, decide(&newsroom, &["sign-off"]).code), (0, 0), "{}", passed.err);
}

#[test]
fn the_offline_desk_leaves_standing_what_a_human_let_stand() {
    let newsroom = Newsroom::offline();
    newsroom.topic_with(|topic| topic["source_text"] = json!(SOURCE));
    let body = BODY.replace("in April", "in April with 40 percent of the trees");
    // Its summary repeats its first paragraph: the quotation stands there as well.
    let lead = body.split("\n\n").next().unwrap_or_default();
    let draft = format!("# Council met\n\n*A vote*\n\n> {lead}\n\n{body}\n");
    newsroom.write("draft.md", draft.as_bytes());
    let done = newsroom.run(&["run", "--plain", "park.json", "--draft", "draft.md"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let found = json(&newsroom, "iter1_proof.json");
    let place = found.as_array().unwrap().iter().position(|row| row["rule"] == "quotation.altered").unwrap();
    let accepted = decide(&newsroom, &["accept", "finding", &(place + 1).to_string(), "--reason", TAPE]);
    assert_eq!(accepted.code, 0, "{}", accepted.err);
    let shown = newsroom.run(&["show", "park"]).out;
    assert_eq!(shown.matches("REWRITE (overruled)").count(), 2, "in both fields: {shown}");
    // No source decides what to write instead of an invented figure, so a person says it.
    let feedback = "Replace “in April with 40 percent of the trees” with “in April”.";
    assert_eq!(decide(&newsroom, &["feedback", feedback]).code, 0);
    let second = decide(&newsroom, &["continue", "--resume"]);
    assert_eq!(second.code, 0, "{}", second.err);
    let draft = file(&newsroom, "iter2_writer_draft.md");
    assert!(draft.contains("nobody will give it away from us") && !draft.contains("40 percent"), "{draft}");
    let found = json(&newsroom, "iter2_proof.json");
    assert_eq!((found.as_array().unwrap().len(), &found[1]["accepted"]["reason"]), (2, &json!(TAPE)));
    // Nothing is open, and the same words come to the sign-off.
    let passed = decide(&newsroom, &["continue", "--resume"]);
    assert_eq!(passed.code, 0, "{}", passed.err);
    assert_eq!(decide(&newsroom, &["sign-off", "--resume"]).code, 0);
    assert!(file(&newsroom, "article.md").contains("nobody will give it away from us"));
}
