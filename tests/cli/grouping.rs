//! More concerns than `concerns_limit`: the others are grouped and left to a person, and no call is made for them.

use serde_json::{Value, json};

use crate::support::{
    newsroom::Newsroom,
    script,
    server::{Call, Reply, Server},
};

/// A reviewer that never stops, a mapping for whatever it is asked about, and specialists that are content.
fn endless(call: &Call) -> Reply {
    let text = match call.agent.as_str() {
        "article_review" => {
            let bullet = |number| format!("- “begin in April” unsupported_fact: doubt {number}\nwith a second line.");
            (1..=300).map(bullet).collect::<Vec<_>>().join("\n")
        }
        "concern_mapping" => {
            let ids = 1..=u32::try_from(call.user.matches("\"concern_id\"").count()).unwrap();
            let mapping = |id| json!({"concern_id": id, "concern_type": "unsupported_fact", "selected_agent": "opinion", "confidence": "high", "reason": "fits"});
            json!({"mappings": ids.map(mapping).collect::<Vec<Value>>()}).to_string()
        }
        "opinion" => json!({
            "concern_id": script::concern(call), "misleading": false, "status": "KEEP", "rationale": "It may stand.",
            "suggested_fix": null, "evidence": null, "citations": null
        })
        .to_string(),
        _ => script::text(call),
    };
    Reply::Text(text)
}

#[test]
fn three_hundred_concerns_cost_no_more_calls_than_the_limit_and_the_story_is_flagged() {
    let server = Server::start(endless);
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        yaml.replace("editor_max_rounds: 3", "editor_max_rounds: 1")
            .replace("concerns_limit: 40", "concerns_limit: 7")
            .replace("max_tokens: 2048", "max_tokens: 8192")
    });
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.code, 1, "{}", done.err);
    let agents: Vec<String> = server.calls().into_iter().map(|call| call.agent).collect();
    assert_eq!(agents[..3], ["writer", "article_review", "concern_mapping"]);
    // All speak of the same words: one call answers for seven of them, and nobody is asked about the group.
    assert_eq!(agents[3..], ["opinion"]);

    let result = newsroom.canonical();
    assert_eq!(result["success"], json!(false));
    let round = &result["editor_report"]["iterations"][0];
    let concerns = round["concerns"].as_array().unwrap();
    assert_eq!(concerns.len(), 8);
    let group = concerns[7]["review_note"].as_str().unwrap();
    assert!(group.starts_with("293 more concerns of the reviewer:\n"), "{group}");
    for number in 8..=300 {
        let bullet = format!("  - “begin in April” unsupported_fact: doubt {number}\nwith a second line.");
        assert_eq!(group.matches(&bullet).count(), 1, "{number}");
    }
    assert_eq!(round["mappings"].as_array().map(Vec::len), Some(8));
    let verdict = &round["verdicts"][7];
    assert_eq!((&verdict["status"], &verdict["suggested_fix"]), (&json!("REWRITE"), &Value::Null));
    assert_eq!(
        verdict["rationale"],
        json!(
            "Beyond the limit of this review: 293 more concerns of the reviewer. No specialist has looked: a person must."
        )
    );
    assert_eq!(result["editor_report"]["blocking_concerns"].as_array().map(Vec::len), Some(1), "the others are KEEP");

    let listed: Value = serde_json::from_str(&newsroom.ran(&["list", "--json"]).out).unwrap();
    assert!(!listed[0]["flags"].as_array().unwrap().is_empty(), "{listed}");
    let shown = newsroom.ran(&["show", "park"]).out;
    assert!(shown.contains("     a rule: REWRITE: Beyond the limit"), "{shown}");

    let again = newsroom.ran(&["replay", "park", "--into", "again", "--json"]);
    let again: Value = serde_json::from_str(&again.out).unwrap();
    assert_eq!((&again["differences"], &again["missing"]), (&json!([]), &json!([])), "{again}");
    assert_eq!(server.calls().len(), 4, "no model is asked");
}

#[test]
fn an_editor_overrules_a_group_like_any_other_verdict() {
    let server = Server::start(endless);
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        yaml.replace("editor_max_rounds: 3", "editor_max_rounds: 1").replace("max_tokens: 2048", "max_tokens: 8192")
    });
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 1);
    for decision in [
        vec!["reopen"],
        vec!["overrule", "41", "keep", "--reason", "I have read them."],
        vec!["continue", "--resume"],
        vec!["sign-off", "--resume"],
    ] {
        let all: Vec<&str> = ["decide", "park"].into_iter().chain(decision).collect();
        newsroom.ran(&all);
    }
    assert_eq!(newsroom.canonical()["success"], json!(true));
}

#[test]
fn what_the_proof_finds_beyond_the_limit_is_grouped_by_kind() {
    let newsroom = Newsroom::with(|yaml| {
        yaml.replace("concerns_limit: 40", "concerns_limit: 1").replace("editor_max_rounds: 3", "editor_max_rounds: 1")
    });
    newsroom.write("source.txt", b"The plan lays 1.4 miles of paths. It costs $2 million.");
    newsroom.write("draft.md", b"# The plan\n\n*Paths*\n\n> The plan lays 1.8 miles of paths. It costs $3 million.\n\nThe plan lays 1.8 miles of paths. It costs $3 million.");
    let done = newsroom.run(&["run", "--auto", "--draft", "draft.md", "source.txt"]);
    assert_eq!(done.code, 1, "{}", done.err);
    let shown = newsroom.ran(&["show", "source"]).out;
    assert!(
        shown.contains("2. not stated in the source: 3 more findings of this kind: “$3 million”, “1.8”, “$3 million”"),
        "{shown}"
    );
    assert!(shown.contains("a rule: REWRITE: Beyond the limit of this review: 3 more findings"), "{shown}");
    let again = newsroom.ran(&["replay", "source", "--into", "again"]);
    assert!(again.out.contains("are identical"), "{}", again.out);
}
