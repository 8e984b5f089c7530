//! A story from topic to canonical article, over real HTTP.

use serde_json::{Value, json};

use crate::support::{
    newsroom::{Newsroom, own_key},
    script,
    server::{Reply, Server},
};

#[test]
fn a_story_goes_from_topic_to_canonical_article() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.err.contains("passed, not signed off") && !done.err.contains("published"), "{}", done.err);
    // Draft, review, map, five specialists, revise, review: ten calls.
    assert_eq!(server.calls().len(), 10);

    let result = newsroom.canonical();
    assert_eq!(result["success"], json!(true));
    assert_eq!(result["error"], Value::Null);
    assert_eq!(result["article"]["headline"], json!("A park plan passes (draft 2)"));
    assert_eq!(result["metadata"]["style_mode"], json!("SCIAM_MAGAZINE"));
    let keys: Vec<&String> = result.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["success", "article", "metadata", "editor_report", "artifacts_dir", "error"]);
    let report = &result["editor_report"];
    assert_eq!(report["total_iterations"], json!(2));
    assert_eq!(report["final_status"], json!("SUCCESS"));
    let feedback = &report["iterations"][0]["feedback_to_writer"];
    assert_eq!(
        feedback["todo_list"],
        json!([
            "Say that the month is not decided.",
            "Delete the share of the budget.",
            "Name the vote in the headline."
        ])
    );
    assert_eq!(
        feedback["rating"],
        json!(2),
        "10 less two for each of three to-dos and one for each of two suggestions"
    );
    assert_eq!(report["iterations"][1]["feedback_to_writer"], Value::Null);

    let runs = newsroom.runs();
    assert_eq!(runs.len(), 1);
    let run_id = runs[0].file_name().unwrap().to_str().unwrap();
    assert_eq!(result["artifacts_dir"], json!(format!("data/output/article_editor_runs/desk/park/{run_id}")));
    let mut names: Vec<String> =
        std::fs::read_dir(&runs[0]).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(
        names,
        [
            "article.md",
            "article_result.json",
            "editor_report.json",
            "iter1_article_review.json",
            "iter1_article_review_raw.md",
            "iter1_concern_mapping.json",
            "iter1_feedback.json",
            "iter1_verdicts.json",
            "iter1_writer_draft.json",
            "iter1_writer_draft.md",
            "iter2_article_review.json",
            "iter2_article_review_raw.md",
            "iter2_writer_draft.json",
            "iter2_writer_draft.md",
        ]
    );
    assert!(done.out.contains("desk/park") && done.out.contains("SUCCESS"), "{}", done.out);
}

#[test]
fn a_server_that_streams_and_one_that_does_not_give_the_same_article() {
    let articles = [
        |call: &crate::support::server::Call| Reply::Text(script::text(call)),
        |call: &crate::support::server::Call| Reply::Bare(script::text(call)),
        |call: &crate::support::server::Call| Reply::Whole(script::text(call)),
    ]
    .map(|answer| {
        let server = Server::start(answer);
        let newsroom = Newsroom::at(&server.base());
        let done = newsroom.auto(&newsroom.topic());
        assert_eq!(done.code, 0, "{}", done.err);
        newsroom.canonical()["article"].clone()
    });
    assert_eq!(articles[0], articles[1]);
    assert_eq!(articles[0], articles[2]);
}

#[test]
fn each_agent_is_asked_as_its_own_section_says() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        let yaml = own_key(&yaml, "writer", "model: big-writer");
        own_key(&yaml, "writer", "response_format: json_schema").replace("max_tokens: 2048", "max_tokens: 2000")
    });
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    let calls = server.calls();
    let writer = &calls[0].body;
    assert_eq!(
        (&writer["model"], &writer["temperature"], &writer["max_tokens"]),
        (&json!("big-writer"), &json!(0.7), &json!(8192))
    );
    assert_eq!(writer["stream"], json!(true));
    let format = &writer["response_format"];
    assert_eq!(format["type"], json!("json_schema"));
    assert_eq!(format["json_schema"]["schema"]["additionalProperties"], json!(false));
    let review = &calls[1].body;
    assert_eq!((&review["model"], &review["max_tokens"]), (&json!("your-model-name"), &json!(2000)));
    assert_eq!(review["response_format"], Value::Null);
    assert_eq!(calls[0].authorization, "Bearer lm-studio");
    for line in [
        "STYLE_MODE: SCIAM_MAGAZINE",
        "TARGET_LENGTH_WORDS: 10-120",
        "OPTIONAL_ANGLE: none",
        "SOURCE_TEXT:",
        "OPTIONAL_METADATA:",
    ] {
        assert!(calls[0].user.contains(line), "{line}");
    }
}

#[test]
fn a_run_that_uses_up_its_rounds_fails_keeps_its_best_draft_and_is_flagged() {
    let server = Server::start(|call| match call.agent.as_str() {
        "article_review" => Reply::Text(script::bullets()),
        _ => script::usual(call),
    });
    let newsroom = Newsroom::at(&server.base());
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.code, 1, "{}", done.err);
    let result = newsroom.canonical();
    assert_eq!(result["success"], json!(false));
    assert!(result["error"].as_str().unwrap().contains("all 3 rounds"), "{result}");
    assert_eq!(result["article"]["headline"], json!("A park plan passes (draft 2)"));
    assert_eq!(result["editor_report"]["blocking_concerns"].as_array().unwrap().len(), 3);
    let listed: Value = serde_json::from_str(&newsroom.run(&["list", "--json"]).out).unwrap();
    assert_eq!(listed[0]["flags"], json!(["rounds used up with concerns open"]));
    assert_eq!(listed[0]["state"], json!("failed"));
}

#[test]
fn a_citation_that_no_verdict_carries_is_taken_out_and_reported() {
    let server = Server::start(|call| match call.agent.as_str() {
        "revision" => {
            let mut article: Value = serde_json::from_str(&script::article(2)).unwrap();
            let body = article["articleBody"].as_str().unwrap();
            article["articleBody"] = json!(format!("{body}[^1]\n\n## Footnotes\n\n[^1]: https://made.up/study"));
            Reply::Text(article.to_string())
        }
        _ => script::usual(call),
    });
    let newsroom = Newsroom::at(&server.base());
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    let body = newsroom.canonical()["article"]["articleBody"].as_str().unwrap().to_owned();
    assert!(!body.contains("made.up") && !body.contains("[^1]") && !body.contains("Footnotes"), "{body}");
    let notes = std::fs::read_to_string(newsroom.runs()[0].join("iter2_writer_notes.json")).unwrap();
    assert!(notes.contains("https://made.up/study"), "{notes}");
    assert!(newsroom.run(&["log", "park"]).out.contains("no verdict supports it"));
}

#[test]
fn evidence_is_sought_kept_and_may_stand_in_a_footnote() {
    let cited = "https://evidence.example/study";
    let server = Server::start(move |call| match call.agent.as_str() {
        "evidence_search" => Reply::Cited("A study of 2024 found the same.".into(), vec![cited.into()]),
        "evidence_finding" => {
            assert!(call.user.contains("A study of 2024"), "{}", call.user);
            let mut verdict: Value = serde_json::from_str(&script::verdict(script::concern(call))).unwrap();
            verdict["citations"] = json!([cited, "https://made.up"]);
            verdict["evidence"] = json!("A study found the same.");
            Reply::Text(verdict.to_string())
        }
        "revision" => {
            let mut article: Value = serde_json::from_str(&script::article(2)).unwrap();
            let body = article["articleBody"].as_str().unwrap();
            article["articleBody"] = json!(format!("{body}[^1]\n\n## Footnotes\n\n[^1]: {cited}"));
            Reply::Text(article.to_string())
        }
        _ => script::usual(call),
    });
    let perplexity = format!(
        "perplexity:\n    api_base: {}\n    api_key: pplx-secret-key-1\n    model: sonar\n    timeout_seconds: 5",
        server.base()
    );
    let newsroom = Newsroom::at_with(&server.base(), |yaml| yaml.replace("perplexity: null", &perplexity));
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.code, 0, "{}", done.err);
    let search = server.calls().into_iter().find(|call| call.agent == "evidence_search").unwrap();
    assert_eq!(
        (search.body["model"].as_str(), search.authorization.as_str()),
        (Some("sonar"), "Bearer pplx-secret-key-1")
    );
    assert!(!search.user.contains("The minutes name no month"), "the source stays in the house: {}", search.user);
    let result = newsroom.canonical();
    assert_eq!(result["editor_report"]["iterations"][0]["verdicts"][1]["citations"], json!([cited]));
    assert!(result["article"]["articleBody"].as_str().unwrap().ends_with(&format!("[^1]: {cited}")), "{result}");

    // The second story that asks the same is answered from memory: no search, no verdict of the two that remember.
    server.forget();
    let again = newsroom.topic_with(|topic| topic["source_metadata"]["topic_slug"] = json!("park-again"));
    assert_eq!(newsroom.auto(&again).code, 0);
    assert_eq!(
        (server.count("evidence_search"), server.count("evidence_finding"), server.count("fact_check")),
        (0, 0, 0)
    );
    assert_eq!(server.count("opinion"), 1);
    let second = newsroom.json("data/output/articles/desk/park-again.json");
    assert_eq!(second["editor_report"]["iterations"][0]["verdicts"][1]["citations"], json!([cited]));
    let remembered: Vec<String> = newsroom
        .files()
        .into_iter()
        .map(|(name, _)| name)
        .filter(|name| name.contains("institutional_memory"))
        .collect();
    assert_eq!(remembered.len(), 2, "{remembered:?}");
}

#[test]
fn without_a_search_service_the_verdict_says_so() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    let verdict = newsroom.canonical()["editor_report"]["iterations"][0]["verdicts"][1].clone();
    assert!(verdict["evidence"].as_str().unwrap().starts_with("No outside evidence was sought"), "{verdict}");
    assert_eq!(verdict["citations"], Value::Null);
}

#[test]
fn fact_check_is_shown_passages_of_the_knowledge_folder() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    newsroom.write(
        "data/knowledgebase/parks.md",
        b"# Parks\n\nWork on parks must not begin in April, says the ordinance.\n",
    );
    newsroom.write("data/knowledgebase/bad.txt", b"\x89PNG\r\n\x1a\n");
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.err.contains("bad.txt: it is a picture (PNG), not text"), "{}", done.err);
    let asked = server.calls().into_iter().find(|call| call.agent == "fact_check").unwrap();
    assert!(
        asked.user.contains("must not begin in April") && asked.user.contains("citation: parks.md, bytes 0-"),
        "{}",
        asked.user
    );
}

#[test]
fn json_events_are_one_a_line_and_nothing_else() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    let topic = newsroom.topic();
    let done = newsroom.run(&["run", "--auto", "--json", topic.to_str().unwrap()]);
    assert_eq!(done.code, 0, "{}", done.err);
    let events: Vec<Value> = done.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events.first().unwrap()["event"], json!("run_opened"));
    let memory = json!({
        "look_ups": 1, "hits": 0, "calls_not_made": 0, "tokens_not_spent": null, "hits_of_unknown_cost": 0
    });
    let story = json!({
        "story": "desk/park", "result": "success", "extract": false, "rounds": 2, "open_concerns": 0, "tokens": 1627, "cost": null, "note": ""
    });
    let closed = json!({
        "event": "batch_closed", "succeeded": 1, "failed": 0, "waiting": 0, "tokens": 1627, "cost": null, "memory": memory, "stories": [story]
    });
    assert_eq!(events.last().unwrap(), &closed);
    let verdicts: Vec<&Value> =
        events.iter().filter(|event| event["event"] == "verdict_given").map(|event| &event["step"]).collect();
    assert_eq!(verdicts, ["r1.c1.judge", "r1.c2.judge", "r1.c3.judge", "r1.c4.judge", "r1.c5.judge"]);
    let logged: Vec<Value> =
        newsroom.run(&["log", "park", "--json"]).out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(logged, events[..events.len() - 1], "the log reads back what was said");
}

#[test]
fn specialists_may_work_at_once_and_verdicts_keep_the_order_of_concern() {
    // The first specialist is the slowest.
    let server = Server::start(|call| {
        let pause = match call.agent.as_str() {
            "fact_check" => 120,
            "evidence_finding" => 60,
            _ => 0,
        };
        Reply::Late(std::time::Duration::from_millis(pause), Box::new(script::usual(call)))
    });
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        yaml.replace("specialists_of_a_story: 1", "specialists_of_a_story: 5")
    });
    let topic = newsroom.topic();
    let done = newsroom.run(&["run", "--auto", "--json", topic.to_str().unwrap()]);
    assert_eq!(done.code, 0, "{}", done.err);
    let steps: Vec<String> = done
        .out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|event| event["event"] == "verdict_given")
        .map(|event| event["step"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(steps, ["r1.c1.judge", "r1.c2.judge", "r1.c3.judge", "r1.c4.judge", "r1.c5.judge"]);
}

#[test]
fn a_fact_check_is_remembered_for_its_own_sources_only() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::at(&server.base());
    assert_eq!(newsroom.auto(&newsroom.topic()).code, 0);
    assert_eq!(server.count("fact_check"), 1);
    // The same claim on the same source is remembered; on another source it is asked about.
    let same = newsroom.topic_with(|topic| topic["source_metadata"]["topic_slug"] = json!("same-source"));
    assert_eq!(newsroom.auto(&same).code, 0);
    assert_eq!(server.count("fact_check"), 1);
    let other = newsroom.topic_with(|topic| {
        topic["source_metadata"]["topic_slug"] = json!("other-source");
        topic["source_text"] = json!("The council of Westbrook begins in April, the minutes say.");
    });
    assert_eq!(newsroom.auto(&other).code, 0);
    assert_eq!(server.count("fact_check"), 2);
}

#[test]
fn init_writes_a_configuration_for_the_models_that_it_finds_and_the_doctor_checks_it() {
    let server = Server::start(script::usual);
    let newsroom = Newsroom::offline();
    let config = newsroom.path().join("own.yaml");
    let config = config.to_str().unwrap();
    let done = newsroom.run(&["init", "--config", config, "--server", &server.base()]);
    assert_eq!(done.code, 0, "{}", done.err);
    let yaml = newsroom.read("own.yaml");
    assert!(
        yaml.contains("engine: llm") && yaml.contains("model: \"scripted\"") && yaml.contains(&server.base()),
        "{yaml}"
    );
    assert_eq!(newsroom.run(&["init", "--config", config, "--server", &server.base()]).code, 2, "it exists");
    let doctor = newsroom.run(&["--config", config, "doctor"]);
    assert_eq!(doctor.code, 0, "{}", doctor.out);
    assert!(doctor.out.lines().all(|line| line.starts_with("fine ")), "{}", doctor.out);
    let topic = newsroom.topic();
    assert_eq!(newsroom.run(&["--config", config, "run", "--auto", topic.to_str().unwrap()]).code, 0);
    // A server that has gone is something to do.
    drop(server);
    let doctor = newsroom.run(&["--config", config, "doctor"]);
    assert_eq!(doctor.code, 1, "{}", doctor.out);
    assert!(doctor.out.contains("TO DO  model server") && doctor.out.contains("does not answer"), "{}", doctor.out);
}

#[test]
fn the_first_run_without_a_configuration_says_where_it_and_its_prompts_are() {
    let newsroom = Newsroom::offline();
    std::fs::remove_dir_all(newsroom.path().join("config")).unwrap();
    let done = newsroom.run(&["list"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let between = |from: &str, to: &str| {
        let (_, rest) = done.err.split_once(from).unwrap_or_else(|| panic!("{}", done.err));
        std::path::PathBuf::from(rest.split_once(to).unwrap_or_else(|| panic!("{}", done.err)).0)
    };
    assert!(between("was written: ", " (engine: offline").is_file(), "{}", done.err);
    let prompts = between("prompts and styles are in ", ". `copydesk init`");
    assert!(prompts.join("styles/NATURE_NEWS.md").is_file(), "{}", done.err);
    assert!(prompts.join("agents/editor/skills/gap-analysis/SKILL.md").is_file(), "{}", done.err);
    let named = prompts.join("article_editor");
    assert!(named.join("writer.md").is_file(), "{}", done.err);
    let doctor = newsroom.run(&["doctor"]);
    assert!(doctor.out.contains(named.to_str().unwrap()), "{} {}", doctor.out, doctor.err);
    assert!(doctor.out.contains("fine   skills: 16 in "), "{}", doctor.out);
}

#[test]
fn a_stream_that_begins_with_a_byte_order_mark_is_read() {
    let server = Server::start(|call| match call.agent.as_str() {
        "writer" => {
            let chunk = json!({"choices": [{"delta": {"content": script::article(1)}, "finish_reason": "stop"}]});
            Reply::Raw("text/event-stream", format!("\u{feff}data: {chunk}\n\ndata: [DONE]\n\n").into_bytes())
        }
        _ => script::usual(call),
    });
    let newsroom = Newsroom::at(&server.base());
    let done = newsroom.auto(&newsroom.topic());
    assert_eq!(done.code, 0, "{}", done.err);
}
