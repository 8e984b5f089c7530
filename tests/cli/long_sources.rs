//! Sources that are longer than the models' windows.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;

use crate::support::{
    newsroom::Newsroom,
    script,
    server::{Call, Reply, Server},
};

const TRUE: &str = "TULL: The plan lays 1.4 miles of paths around the pond of Miller Park.";

/// A transcript with what decides in its middle.
fn transcript(lines: usize) -> String {
    let line = |n: usize| {
        format!("VOSS: Item {n} of the evening is the lamp in street {n}, and we take it up again in the spring.")
    };
    let mut said: Vec<String> = (0..lines).map(line).collect();
    said.insert(lines / 2, TRUE.to_owned());
    said.join("\n\n")
}

/// A writer who gets a figure wrong, and mends it once it is told.
fn script(call: &Call) -> Reply {
    let article = |miles: &str| {
        let body = format!(
            "The council met on the park.\n\nThe plan lays {miles} miles of paths around the pond of Miller Park."
        );
        json!({"headline": "Paths", "alternativeHeadline": "A pond", "articleBody": body, "description": "Of paths."})
            .to_string()
    };
    Reply::Text(match call.agent.as_str() {
        "writer" => article("1.8"),
        "revision" => article("1.4"),
        "article_review" if call.user.contains("lays 1.8") => "- “1.8 miles” unsupported_fact: is it so?".to_owned(),
        "article_review" => "No concerns.".to_owned(),
        "concern_mapping" => {
            json!({"mappings": [{"concern_id": 1, "concern_type": "unsupported_fact", "selected_agent": "fact_check", "confidence": "high", "reason": "a fact"}]}).to_string()
        }
        _ => json!({
            "concern_id": script::concern(call), "misleading": true, "status": "REWRITE", "rationale": "It is 1.4 miles.",
            "suggested_fix": "Write “1.4 miles” instead of “1.8 miles”.", "evidence": "“The plan lays 1.4 miles of paths”", "citations": ["[1]"]
        })
        .to_string(),
    })
}

fn newsroom(server: &Server, window: u64, source: &str) -> (Newsroom, std::path::PathBuf) {
    let newsroom = Newsroom::at_with(&server.base(), |yaml| {
        let yaml = yaml.replace("context_window: 32768", &format!("context_window: {window}"));
        yaml.replacen("  enabled: false", "  enabled: true", 2)
    });
    let topic = newsroom.topic_with(|topic| topic["source_text"] = json!(source));
    (newsroom, topic)
}

#[test]
fn a_long_transcript_is_worked_on_in_a_small_window_and_the_story_says_what_nobody_read() {
    let server = Server::start(script);
    let source = transcript(4_000);
    let (newsroom, topic) = newsroom(&server, 8_000, &source);
    let done = newsroom.auto(&topic);
    assert_eq!(done.code, 0, "{}", done.err);
    for call in server.calls() {
        let tokens = copydesk::text::tokens::count("o200k_base", &call.user);
        assert!(tokens < 7_200, "{}: {tokens} tokens", call.agent);
        // Who assigns concerns needs no source, and a specialist has the passages on its sentence.
        let by_itself = !["writer", "article_review", "revision"].contains(&call.agent.as_str());
        assert_eq!(call.user.contains("This is an extract"), !by_itself, "{}", call.agent);
        // Only the writer has no sentence yet to choose by.
        let needs_none = ["writer", "concern_mapping"].contains(&call.agent.as_str());
        assert!(needs_none || call.user.contains(TRUE), "{} does not see what decides", call.agent);
    }
    let shown = newsroom.run(&["show", "park"]).out;
    assert!(
        shown.contains("The sources do not fit the models' windows. Taken together, the models were shown "),
        "{shown}"
    );
    assert!(shown.contains(" % of them. The proof read all of them."), "{shown}");
    let log = newsroom.run(&["log", "park"]).out;
    assert!(log.contains("the sources do not fit the prompt: it shows "), "{log}");
    // The journal keeps what each prompt showed: it is the same again.
    let replayed = newsroom.run(&["replay", "park"]);
    assert_eq!(replayed.code, 0, "{}", replayed.err);
}

#[test]
fn a_draft_that_does_not_fit_with_its_passages_is_reviewed_section_by_section() {
    let prose = AtomicBool::new(true);
    let streets =
        ["Ash", "Birch", "Cedar", "Elm", "Hazel", "Juniper", "Larch", "Maple", "Oak", "Pine", "Rowan", "Willow"];
    let sides = ["North", "East", "South", "West"];
    let named = sides.iter().flat_map(|side| streets.iter().map(move |street| format!("{side} {street} Street")));
    let lanes: Vec<String> =
        named.zip(1..).map(|(street, n)| format!("The lane of {street} is {} metres long.", n * 110)).collect();
    let body = lanes.join("\n\n");
    let server = Server::start(move |call: &Call| match call.agent.as_str() {
        // The first answer about the first section is of no use.
        "article_review" if call.user.contains("[Section 1 of ") && prose.swap(false, Ordering::SeqCst) => {
            Reply::Text("All is well.".into())
        }
        "writer" | "revision" => {
            let Reply::Text(article) = script(call) else { unreachable!() };
            let mut article: serde_json::Value = serde_json::from_str(&article).unwrap();
            let own = article["articleBody"].as_str().unwrap();
            article["articleBody"] = json!(format!("{body}\n\n{own}"));
            Reply::Text(article.to_string())
        }
        _ => script(call),
    });
    let said: Vec<String> = lanes.iter().map(|lane| format!("VOSS: {lane}\n\n")).collect();
    let source = transcript(300) + "\n\n" + &said.concat();
    let (newsroom, topic) = newsroom(&server, 2_600, &source);
    let done = newsroom.auto(&topic);
    assert_eq!(done.code, 0, "{}", done.err);
    let calls = server.calls();
    let reviews: Vec<_> = calls.iter().filter(|call| call.agent == "article_review").collect();
    assert!(reviews.len() > 4 && reviews.iter().all(|call| call.user.contains("[Section ")), "{}", reviews.len());
    for call in &reviews {
        let (sources, article) = call.user.split_once("<article>").unwrap();
        assert!(sources.contains(TRUE) || !article.contains("1.8 miles"), "{}", call.user);
        for lane in &lanes {
            assert!(sources.contains(lane.as_str()) || !article.contains(lane.as_str()), "{}", call.user);
        }
    }
    let written = std::fs::read_to_string(newsroom.runs()[0].join("iter1_article_review_raw.md")).unwrap();
    assert!(written.starts_with("- “1.8 miles” unsupported_fact: is it so?"), "{written}");
    let shown = newsroom.run(&["show", "park"]).out;
    assert!(
        shown.contains("The sources do not fit the models' windows. Taken together, the models were shown "),
        "{shown}"
    );
    let log = newsroom.run(&["log", "park"]).out;
    assert!(log.contains("the draft is reviewed in ") && log.contains(": 1 bullet  (r1.s"), "{log}");
    let replayed = newsroom.run(&["replay", "park"]);
    assert_eq!(replayed.code, 0, "{}", replayed.err);
    // Forked at a section, nothing that is known is asked again.
    let before = server.calls().len();
    let forked = newsroom.run(&["fork", "park", "--at", "r1.s1"]);
    assert_eq!(forked.code, 0, "{}", forked.err);
    assert_eq!(server.calls().len(), before);
}

#[test]
fn a_window_that_holds_not_even_the_instructions_is_told_of_and_nothing_is_lost() {
    let server = Server::start(script);
    let (newsroom, topic) = newsroom(&server, 400, &transcript(50));
    let done = newsroom.auto(&topic);
    assert_eq!(done.code, 1, "{}", done.err);
    let failed = newsroom.canonical();
    let error = failed["error"].as_str().unwrap_or_default().to_owned();
    assert!(error.contains("the prompt is too large for your-model-name") && error.contains("its parts: "), "{failed}");
}

#[test]
fn odd_sources_are_worked_on_all_the_same() {
    let table = (0..3_000).map(|n| format!("{n},{},{}\n", n * 7 % 100, n * 13 % 1000)).collect::<Vec<_>>().concat();
    let line = "The council sat and sat and nothing was decided about the pond. ".repeat(8_000);
    let german =
        "Der Rat tagte am Dienstag und beschloss den Umbau des Parks mit sieben zu zwei Stimmen.\n".repeat(1_000);
    for source in [table, line, german] {
        let server = Server::start(script);
        let (newsroom, topic) = newsroom(&server, 8_000, &source);
        let done = newsroom.run(&["run", "--auto", topic.to_str().unwrap()]);
        assert!(matches!(done.code, 0 | 1), "{}", done.err);
        let written = newsroom.canonical();
        assert_eq!(written["error"].as_str().filter(|error| error.contains("too large")), None, "{written}");
        assert!(server.count("writer") == 1 && server.count("article_review") > 0);
    }
}
