//! The trial of the models, with the scripted server in their place.

use std::time::{Duration, Instant};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::{Value, json};

use crate::support::{
    newsroom::Newsroom,
    script,
    server::{Call, Reply, Server},
};

/// The cases that the program has.
fn cases() -> Value {
    serde_yaml::from_str(include_str!("../../assets/trial/cases.yaml")).unwrap()
}

/// A model that finds every error and nothing else.
fn able(call: &Call) -> Reply {
    let cases = cases();
    Reply::Text(match call.agent.as_str() {
        "writer" => json!({
            "headline": cases["writing"]["title"], "alternativeHeadline": "The night bus is back",
            "articleBody": WRITTEN, "description": "The committee brings back the night bus."
        })
        .to_string(),
        "article_review" => {
            let sentences =
                cases["reviews"].as_array().unwrap().iter().flat_map(|source| source["drafts"].as_array().unwrap());
            let wrong = sentences.flat_map(|draft| draft.as_array().unwrap()).filter_map(|one| one["text"].as_str());
            let article = call.user.split_once("<article>").unwrap().1;
            match wrong.into_iter().find(|text| article.contains(text)) {
                Some(text) => format!("- “{text}” unsupported_fact: the source does not say so."),
                None => nothing(call),
            }
        }
        "concern_mapping" => {
            let mappings = concerns(&cases).into_iter().zip(1..).map(|(concern, id): (Value, u32)| {
                json!({
                    "concern_id": id, "concern_type": concern["kind"], "selected_agent": concern["specialist"],
                    "confidence": "high", "reason": "It is its subject."
                })
            });
            json!({"mappings": mappings.collect::<Vec<_>>()}).to_string()
        }
        _ => {
            let id = script::concern(call);
            let keep = concerns(&cases)[id as usize - 1]["keep"] == json!(true);
            verdict(id, keep)
        }
    })
}

/// What a trial printed, without the blanks of its table.
fn words(out: &str) -> String {
    out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join("\n")
}

/// How a reviewer says that there is nothing: in the words that it is asked for.
fn nothing(call: &Call) -> String {
    let asked = "No concerns.";
    if call.body.to_string().contains(asked) { asked.to_owned() } else { String::new() }
}

/// The writing case told in other words than its source's.
const WRITTEN: &str = "The night bus between Harl and Upper Lowen will return. The Lowen Valley Transport Committee voted six to three \
    for it on 14 January.\n\nThe bus is to run on Fridays and Saturdays from 6 March on. A ride costs 4 dollars, and people under 18 pay half. \
    For the first year 86,000 dollars are set aside.\n\nLast year the valley had 19 accidents with drunk \
    drivers, chair Berit Solano said. Otto Finch voted against the bus. He said that two school buses could be paid with the same money.\n\n\
    Amina Rask drove the old line. She had about twenty passengers on most nights, she said. If fewer than twelve people ride on an average \
    night, the committee may end the line after six months.";

fn concerns(cases: &Value) -> Vec<Value> {
    cases["desk"]["concerns"].as_array().unwrap().clone()
}

fn verdict(id: u32, keep: bool) -> String {
    let (status, fix) = if keep { ("KEEP", json!(null)) } else { ("REMOVE", json!("Delete it.")) };
    json!({
        "concern_id": id, "misleading": !keep, "status": status, "rationale": "The source decides.",
        "suggested_fix": fix, "evidence": null, "citations": null
    })
    .to_string()
}

#[test]
fn an_able_model_will_do_in_every_role_and_each_case_is_one_call() {
    let server = Server::start(able);
    let newsroom = Newsroom::at(&server.base());
    let done = newsroom.ran(&["trial"]);
    for line in [
        "answers read 19 of 19",
        " of 100 words",
        "errors found 8 of 8",
        "true sentences accused 0 of 25",
        "concerns mapped right 6 of 6",
        "verdicts right 6 of 6",
        "As a writer it will do.",
        "As a reviewer it will do.",
        "In the mapping of concerns it will do.",
        "As specialists they will do.",
    ] {
        assert!(words(&done.out).contains(line), "{line}: {}", done.out);
    }
    assert_eq!(server.calls().len(), 19);
    // Nothing of it is a story.
    assert_eq!(newsroom.ran(&["list", "--json"]).out.trim(), "[]");
    // What was sent is on record.
    let sent = newsroom.ran(&["audit", "requests", "--json"]).out;
    assert!(sent.contains("trial"), "{sent}");
}

#[test]
fn a_reviewer_that_says_nothing_is_told_from_one_that_accuses_everything() {
    let server = Server::start(|call: &Call| match call.agent.as_str() {
        "article_review" => Reply::Text(nothing(call)),
        _ => able(call),
    });
    let newsroom = Newsroom::at(&server.base());
    let silent = newsroom.run(&["trial"]);
    assert_eq!(silent.code, 1, "{}", silent.out);
    let said =
        "As a reviewer it finds nothing: let the proof review (article_review_llm: null), or choose a larger model.";
    assert!(silent.out.contains(said), "{}", silent.out);
    let accusing = Server::start(|call: &Call| {
        if call.agent != "article_review" {
            return able(call);
        }
        let body = call.user.split_once("\"articleBody\": \"").unwrap().1;
        let body = body.split_once("\",\n").unwrap().0;
        let bullets =
            body.split_inclusive(". ").map(|sentence| format!("- “{}” inferred_fact: doubtful.", sentence.trim()));
        Reply::Text(bullets.collect::<Vec<_>>().join("\n"))
    });
    let newsroom = Newsroom::at(&accusing.base());
    let done = newsroom.run(&["trial", "--json"]);
    assert_eq!(done.code, 1, "{}", done.out);
    let report: Value = serde_json::from_str(&done.out).unwrap();
    let accused = report["review"]["accused"].as_u64().unwrap();
    assert!(accused > 20, "{}", report["review"]);
    let sentence = report["judgements"][1]["sentence"].as_str().unwrap();
    assert!(sentence.starts_with("As a reviewer it does no better than chance"), "{sentence}");
    assert_eq!(report["judgements"][1]["fitness"], json!("unfit"));
}

#[test]
fn answers_that_cannot_be_read_are_marks_and_no_error() {
    let server = Server::start(|call: &Call| match call.agent.as_str() {
        "writer" => Reply::Finish("{\"headline\": \"A".to_owned(), "length"),
        "concern_mapping" => Reply::Text("I would rather not.".to_owned()),
        _ => able(call),
    });
    let newsroom = Newsroom::at(&server.base());
    let done = newsroom.run(&["trial"]);
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(words(&done.out).contains("answers read 17 of 19"), "{}", done.out);
    assert!(done.out.contains("writer: the answer was cut at max_tokens"), "{}", done.out);
    assert!(done.out.contains("In the mapping of concerns, 1 of 1 answers cannot be read"), "{}", done.out);
    // The specialists were asked all the same.
    assert!(words(&done.out).contains("verdicts right 6 of 6"), "{}", done.out);
}

#[test]
fn a_short_draft_and_specialists_that_keep_everything_are_told() {
    let server = Server::start(|call: &Call| {
        match call.agent.as_str() {
        "writer" => Reply::Text(
            json!({
                "headline": "A", "alternativeHeadline": "B", "articleBody": "The committee voted by six to three.", "description": "C."
            })
            .to_string(),
        ),
        "article_review" | "concern_mapping" => able(call),
        _ => Reply::Text(verdict(script::concern(call), true)),
    }
    });
    let newsroom = Newsroom::at(&server.base());
    let done = newsroom.run(&["trial"]);
    assert_eq!(done.code, 1);
    assert!(
        done.out.contains("As a writer it will not do, even if asked twice (Short: 7 words; target 100)"),
        "{}",
        done.out
    );
    assert!(done.out.contains("As specialists they let everything stand"), "{}", done.out);
}

#[test]
fn a_trial_needs_models_that_answer() {
    let offline = Newsroom::offline();
    let done = offline.run(&["trial"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("engine: offline asks no model"), "{}", done.err);
    let server = Server::start(|call: &Call| match call.agent.as_str() {
        "concern_mapping" => Reply::Status(500, vec![], "no memory".into()),
        _ => able(call),
    });
    let newsroom = Newsroom::at(&server.base());
    let done = newsroom.run(&["trial"]);
    assert_eq!((done.code, done.out.as_str()), (1, ""), "{}", done.err);
    assert!(done.err.contains("the trial stopped at call 13 (concern_mapping)"), "{}", done.err);
}

#[test]
fn a_trial_can_be_stopped_and_leaves_nothing() {
    let server = Server::start(|call: &Call| if call.agent == "concern_mapping" { Reply::Hang } else { able(call) });
    let newsroom = Newsroom::at(&server.base());
    let mut child = newsroom.start(&["trial"]);
    let patience = Instant::now() + Duration::from_mins(1);
    while server.count("concern_mapping") == 0 {
        assert!(Instant::now() < patience, "it asks nobody");
        std::thread::sleep(Duration::from_millis(10));
    }
    kill(Pid::from_raw(child.id().cast_signed()), Signal::SIGINT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn a_recorded_trial_is_repeated_without_its_server() {
    let server = Server::start(able);
    let newsroom = Newsroom::at(&server.base());
    let live: Value = serde_json::from_str(&newsroom.ran(&["trial", "--record", "tape.jsonl", "--json"]).out).unwrap();
    let yaml = newsroom.read("config/config.yaml");
    let recorded =
        yaml.replace("engine: llm", "engine: recorded").replacen("  recording: null", "  recording: tape.jsonl", 1);
    newsroom.write("config/config.yaml", recorded.as_bytes());
    server.forget();
    let again: Value = serde_json::from_str(&newsroom.ran(&["trial", "--json"]).out).unwrap();
    for part in ["answers", "writing", "review", "mapping", "each_verdict", "judgements"] {
        assert_eq!(again[part], live[part], "{part}");
    }
    assert_eq!(server.calls().len(), 0);
}
