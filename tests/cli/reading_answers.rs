//! Answers as models write them, and the desk's reading: read, asked again, or no review.

use serde_json::{Value, json};

use crate::support::{
    newsroom::Newsroom,
    script,
    server::{Call, Reply, Server},
};

/// The messages of a call behind its first two, as role and text.
fn told(call: &Call) -> Vec<(String, String)> {
    let messages = call.body["messages"].as_array().unwrap();
    let text = |message: &Value, key: &str| message[key].as_str().unwrap_or_default().to_owned();
    messages.iter().skip(2).map(|message| (text(message, "role"), text(message, "content"))).collect()
}

fn calls_of(server: &Server, agent: &str) -> Vec<Call> {
    server.calls().into_iter().filter(|call| call.agent == agent).collect()
}

/// The usual story in which the last review answers so: exit code, error of the canonical file, calls of the reviewer.
fn last_review(answer: &str) -> (i32, String, usize) {
    let answer = answer.to_owned();
    let server = Server::start(move |call: &Call| {
        let last = call.agent == "article_review" && !call.user.contains("(draft 1)");
        if last { Reply::Text(answer.clone()) } else { script::usual(call) }
    });
    let newsroom = Newsroom::at(&server.base());
    let done = newsroom.auto(&newsroom.topic());
    let error = newsroom.canonical()["error"].as_str().unwrap_or_default().to_owned();
    (done.code, error, server.count("article_review"))
}

#[test]
fn no_review_is_no_pass() {
    for silent in
        ["<think>The article is fine.</think>", "<think>No concerns.", "The article reads well.", "<|im_end|>"]
    {
        let (code, error, reviews) = last_review(silent);
        assert_eq!((code, reviews), (1, 3), "{silent}: {error}");
        assert!(error.contains("the answer cannot be used"), "{silent}: {error}");
    }
    for said in [
        "No concerns.",
        "**No concerns.**",
        "- No concerns.",
        "<think>hm</think>I have no concerns about this article.",
    ] {
        assert_eq!(last_review(said), (0, String::new(), 2), "{said}");
    }
}

#[test]
fn a_review_without_a_concern_is_stored_as_the_contract_has_it() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    let raw = std::fs::read_to_string(newsroom.runs()[0].join("iter2_article_review_raw.md")).unwrap();
    assert_eq!(raw.trim(), "");
}

#[test]
fn an_answer_that_cannot_be_used_is_asked_for_again_with_what_was_wrong() {
    let server = Server::start(script::but("writer", 1, Reply::Text("{\"headline\": \"A park plan\"}".into())));
    let newsroom = Newsroom::at(&server.base());
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.code, 0, "{}", done.err);
    let writer = calls_of(&server, "writer");
    assert_eq!((writer.len(), told(&writer[0])), (2, vec![]));
    let again = told(&writer[1]);
    assert_eq!(again[0], ("assistant".to_owned(), "{\"headline\": \"A park plan\"}".to_owned()));
    let (role, why) = &again[1];
    assert!(role == "user" && why.contains("missing field `alternativeHeadline`"), "{why}");
    assert_eq!(newsroom.run(&["replay", "park"]).code, 0, "the record gives the same story");
}

#[test]
fn a_fork_finds_the_answer_that_came_after_a_rejected_one() {
    let server = Server::start(script::but("article_review", 1, Reply::Text("Hm.".into())));
    let newsroom = Newsroom::at(&server.base());
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    assert_eq!(server.count("article_review"), 3);
    server.forget();
    let forked = newsroom.run(&["fork", "park", "--at", "r1.review", "--auto"]);
    assert_eq!(forked.code, 0, "{}", forked.err);
    assert_eq!(server.agents(), [""; 0], "nothing is asked twice");
}

#[test]
fn a_cut_answer_is_asked_for_again_shorter() {
    let server = Server::start(script::but("writer", 1, Reply::Finish("{\"headline\": \"A".into(), "length")));
    let newsroom = Newsroom::at(&server.base());
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    let writer = calls_of(&server, "writer");
    assert!(writer[1].user.contains("Your last answer was cut off because it was too long. Be shorter."));
}

#[test]
fn a_story_that_is_killed_between_two_attempts_goes_on_with_the_second() {
    let server = Server::start(|call: &Call| match (call.agent.as_str(), call.before) {
        ("writer", 0) => Reply::Text("Here is your article.".into()),
        ("writer", 1) => Reply::Hang,
        _ => script::usual(call),
    });
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    let mut child = newsroom.start(&["run", "--auto", topic.to_str().unwrap()]);
    for _ in 0..3_000 {
        if server.count("writer") == 2 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let done = newsroom.run(&["resume"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let writer = calls_of(&server, "writer");
    assert_eq!(writer.len(), 3);
    assert_eq!(writer[1].body, writer[2].body, "the call that was in flight is made again as it was");
    assert_eq!(told(&writer[2])[0].1, "Here is your article.");
}

#[test]
fn a_mapping_that_leaves_a_concern_out_is_completed_by_rule_in_the_end() {
    let short = Reply::changed(&script::mapping(), |it| drop(it["mappings"].as_array_mut().unwrap().pop()));
    let server = Server::start(script::but("concern_mapping", 9, short));
    let newsroom = Newsroom::at(&server.base());
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.code, 0, "{}", done.err);
    let mapping = calls_of(&server, "concern_mapping");
    assert_eq!(mapping.len(), 2);
    assert!(told(&mapping[1])[1].1.contains("concern 5 is mapped 0 times"));
    let report = &newsroom.canonical()["editor_report"]["iterations"][0]["mappings"];
    assert!(report[4]["reason"].as_str().unwrap().starts_with("The model left it out; mapped by rule."), "{report}");
    assert_eq!(report[3]["reason"], json!("fits"));
    assert_eq!(newsroom.run(&["replay", "park"]).code, 0);
}

#[test]
fn a_mapping_that_cannot_be_read_is_made_by_rule_in_the_end() {
    let nobody = Reply::changed(&script::mapping(), |it| it["mappings"][0]["selected_agent"] = json!("intern"));
    let server = Server::start(script::but("concern_mapping", 9, nobody));
    let newsroom = Newsroom::at(&server.base());
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.code, 0, "{}", done.err);
    let mapping = calls_of(&server, "concern_mapping");
    assert_eq!(mapping.len(), 2);
    assert!(told(&mapping[1])[1].1.contains("unknown variant `intern`"));
    let report = &newsroom.canonical()["editor_report"]["iterations"][0]["mappings"];
    let reason = report[4]["reason"].as_str().unwrap();
    assert!(reason.starts_with("The model’s answer could not be read; mapped by rule."), "{report}");
    assert_eq!(newsroom.run(&["replay", "park"]).code, 0);
}

#[test]
fn a_bullet_without_quotation_marks_is_about_the_sentence_that_it_means() {
    let bullet = "1. unsupported_fact: lighting is said to be a fifth of the budget, the source has no budget";
    let server = Server::start(move |call: &Call| match call.agent.as_str() {
        "article_review" if call.user.contains("(draft 1)") => Reply::Text(bullet.to_owned()),
        "concern_mapping" => {
            Reply::changed(&script::mapping(), |it| it["mappings"].as_array_mut().unwrap().truncate(1))
        }
        _ => script::usual(call),
    });
    let newsroom = Newsroom::at(&server.base());
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.code, 0, "{}", done.err);
    let concern = &newsroom.canonical()["editor_report"]["iterations"][0]["concerns"][0];
    assert_eq!(concern["excerpt"], json!("Lighting is a fifth of the budget."));
    assert_eq!(concern["review_note"], json!(bullet.trim_start_matches("1. ")));
}

#[test]
fn an_overflow_is_asked_again_with_less_of_the_source_once() {
    let overflows = |times: usize| {
        move |call: &Call| {
            let error = json!({"error": {"code": 400, "type": "exceed_context_size_error", "n_prompt_tokens": 9_800, "n_ctx": 8_192,
                "message": "the request exceeds the available context size"}});
            if call.agent == "writer" && call.before < times {
                Reply::Status(400, vec![], error.to_string())
            } else {
                script::usual(call)
            }
        }
    };
    let source = "The council of Eastbrook voted seven to two on Tuesday to renovate Miller Park. ".repeat(300);
    let run = |times: usize| {
        let server = Server::start(overflows(times));
        let newsroom = Newsroom::at(&server.base());
        let done = newsroom.auto(&newsroom.topic_with(|topic| topic["source_text"] = json!(source)));
        (server, newsroom, done)
    };
    let (server, newsroom, done) = run(1);
    assert_eq!(done.code, 0, "{}", done.err);
    let writer = calls_of(&server, "writer");
    assert_eq!(writer.len(), 2);
    assert!(writer[1].user.len() < writer[0].user.len() && writer[1].user.contains("This is an extract"));
    assert!(done.err.contains("asked again with less of the sources"), "{}", done.err);
    assert!(newsroom.run(&["show", "park"]).out.contains("The sources do not fit the "));
    assert_eq!(newsroom.run(&["replay", "park"]).code, 0);
    let (server, newsroom, done) = run(9);
    assert_eq!((done.code, server.count("writer")), (1, 2), "once, and not as an outage");
    let error = newsroom.canonical()["error"].as_str().unwrap().to_owned();
    assert!(error.contains("9800") && error.contains("8192"), "{error}");
}

#[test]
fn without_a_reviewer_the_proof_reviews_and_the_pages_say_so() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        let (before, rest) = yaml.split_once("    article_review_llm:\n").unwrap();
        let (_, after) = rest.split_once("    concern_mapping_llm:\n").unwrap();
        let yaml = format!("{before}    article_review_llm: null\n    concern_mapping_llm:\n{after}");
        // The scripted draft says what its source does not: the proof is asked about a draft of the source's own words.
        yaml.replacen("proof:\n  enabled: false", "proof:\n  enabled: true", 1)
    });
    let topic = newsroom.topic_with(|topic| {
        let article: Value = serde_json::from_str(&script::article(1)).unwrap();
        let words = format!(
            "{}\n{}\n{}\n{}",
            article["headline"], article["alternativeHeadline"], article["articleBody"], article["description"]
        );
        topic["source_text"] = json!(words.replace(['"', '\\'], " "));
    });
    let done = newsroom.auto(&topic);
    assert_eq!(server.count("article_review"), 0);
    assert_eq!(done.code, 0, "{} {}", done.err, done.out);
    assert!(done.out.contains("No model reviewed this draft"), "{}", done.out);
    let shown = newsroom.run(&["show", "park"]).out;
    assert!(shown.contains("No model reviewed this draft; the proof found nothing."), "{shown}");
    let doctor = newsroom.run(&["doctor"]);
    let said = doctor.out + &doctor.err;
    assert!(said.contains("the proof reviews alone (article_review_llm: null)"), "{said}");
}
