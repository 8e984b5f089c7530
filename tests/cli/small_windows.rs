//! Every prompt fits a window of 4,096 tokens together with its answer.

use std::path::Path;

use copydesk::text::tokens;
use serde_json::{Value, json};

use crate::support::{
    newsroom::Newsroom,
    script,
    server::{Call, Reply, Server},
};

const WINDOW: u64 = 4_096;
const ANSWER: u64 = 1_024;

/// The sample topic, and a draft of some 330 words.
fn story() -> (Value, String) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/topics/miller-park-renovation.json");
    let topic: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let source = topic["source_text"].as_str().unwrap();
    let body: Vec<&str> = source.split("\n\n").filter(|paragraph| paragraph.len() > 120).collect();
    let mut words = 0;
    let body = body.into_iter().take_while(|paragraph| {
        words += paragraph.split_whitespace().count();
        words < 330
    });
    let body = body.map(|paragraph| paragraph.split_once(": ").map_or(paragraph, |(_, said)| said));
    (topic.clone(), body.collect::<Vec<_>>().join("\n\n"))
}

/// A writer, a reviewer with twelve concerns, specialists who want each rewritten.
fn reply(call: &Call, body: &str) -> Reply {
    let sentences: Vec<&str> = body.split(". ").map(str::trim).filter(|said| said.len() > 40).collect();
    Reply::Text(match call.agent.as_str() {
        "writer" | "revision" => {
            json!({"headline": "A park plan", "alternativeHeadline": "Paths", "articleBody": body, "description": "A plan."})
                .to_string()
        }
        "article_review" => {
            let concern = |said: &&str| {
                let excerpt = said.split_whitespace().take(8).collect::<Vec<_>>().join(" ");
                format!("- “{excerpt}” unsupported_fact: {}", "the source says it in quite another way. ".repeat(6))
            };
            sentences.iter().take(12).map(concern).collect::<Vec<_>>().join("\n")
        }
        "concern_mapping" => {
            let ids = (1..).take_while(|id| call.user.contains(&format!("\"concern_id\":{id},")));
            let agents = ["fact_check", "opinion", "attribution", "style_review", "evidence_finding"];
            let mapping = |id: u32| {
                json!({"concern_id": id, "concern_type": "unsupported_fact", "selected_agent": agents[id as usize % 5],
                    "confidence": "high", "reason": "x"})
            };
            json!({"mappings": ids.map(mapping).collect::<Vec<_>>()}).to_string()
        }
        "second_opinion" => json!({"opinions": []}).to_string(),
        "questions" => json!({"questions": ["What does the plan lay?"]}).to_string(),
        "publisher" => json!({"notes": []}).to_string(),
        "draft_plan" => json!({"sections": [
            {"point": "the plan", "lines": [1, 2, 3, 4, 5, 6, 7, 8]}, {"point": "the money", "lines": [9, 10, 11, 12, 13, 14, 15, 16]}
        ]})
        .to_string(),
        "draft_section" => format!("Section {}. It marks a significant milestone, and a triumph of wildlife conservation.", call.before),
        "draft_mend" => "1. OUT\n2. OUT".to_owned(),
        "draft_heads" => json!({"headline": "A plan", "alternativeHeadline": "Paths", "description": "A plan."}).to_string(),
        _ => json!({
            "concern_id": script::concern(call), "misleading": true, "status": "REWRITE", "rationale": "It is otherwise. ".repeat(12),
            "suggested_fix": "Write “a plan” instead of “the plan”.", "evidence": null, "citations": null
        })
        .to_string(),
    })
}

#[test]
fn a_whole_story_is_told_in_a_window_of_4096_tokens() {
    for mode in ["whole", "sections"] {
        let (topic, body) = story();
        let server = Server::start(move |call| reply(call, &body));
        let newsroom = Newsroom::at_with(&server.base(), |yaml| {
            yaml.replace("context_window: 32768", &format!("context_window: {WINDOW}"))
                .replace("max_tokens: 8192", &format!("max_tokens: {ANSWER}"))
                .replace("max_tokens: 2048", &format!("max_tokens: {ANSWER}"))
                .replace("editor_max_rounds: 3", "editor_max_rounds: 2")
                .replace("second_opinion: null", "second_opinion: article_review_llm")
                .replacen("  enabled: false", "  enabled: true", 1)
                .replace("writer_mode: whole", &format!("writer_mode: {mode}"))
        });
        let file = newsroom.write("topic.json", topic.to_string().as_bytes());
        let done = newsroom.auto(&file);
        assert!(!done.err.contains("too large"), "{mode}: {}", done.err);
        let mut asked = std::collections::BTreeMap::new();
        for call in server.calls() {
            let messages = call.body["messages"].as_array().unwrap();
            let tokens: u64 = messages
                .iter()
                .map(|message| tokens::count("o200k_base", message["content"].as_str().unwrap_or_default()))
                .sum();
            assert!(tokens + ANSWER <= WINDOW, "{mode}: {} has {tokens} tokens", call.agent);
            let most = asked.entry(call.agent.clone()).or_insert(0);
            *most = tokens.max(*most);
        }
        let [first, last] = if mode == "whole" { ["writer", "revision"] } else { ["draft_section", "draft_revise"] };
        for agent in [first, "article_review", "concern_mapping", "fact_check", "opinion", "attribution", last] {
            assert!(asked.contains_key(agent), "{mode}: {agent} was not asked: {asked:?} {}", done.err);
        }
    }
}
