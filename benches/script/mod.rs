//! The story that the benches of whole runs tell: a server in this process that plays every agent, and the topics that it knows.

use std::{
    fs,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    newsroom::{Newsroom, psql, server_of_all_desks},
    server::{Call, Reply, Server},
};

/// The source of every topic; each has its number before it, so that no two are one blob.
const TOPIC: &str = include_str!("../../assets/topics/miller-park-renovation.json");
const SENTENCES: [&str; 6] = [
    "The council voted seven to two on Tuesday to renovate the park, according to the draft minutes of the meeting.",
    "The plan sets money aside for new paths, lighting and a playground, said the director of parks, Sylvie Marchand.",
    BEGINNING[0],
    "Two members objected to the cost of the lighting, which makes up a fifth of the budget.",
    "Residents who spoke at the hearing asked for benches and shade along the northern path.",
    "The town will publish the contractors’ bids on its web site before the end of the month.",
];
/// The sentence of the fact check, put differently in each draft: what was checked of the same words is remembered, and not asked again.
const BEGINNING: [&str; 3] = [
    "Work is expected to begin in April and to last nine months, the minutes say.",
    "The minutes say that work is expected to begin in April and to last nine months.",
    "Work is to begin in April and to last nine months, according to the minutes.",
];
const EXCERPTS: [&str; 5] =
    ["begin in April", "a fifth of the budget", "A park plan passes", "said the director", "Residents who spoke"];
const AGENTS: [&str; 5] = ["fact_check", "evidence_finding", "opinion", "attribution", "style_review"];

/// How a story goes. Each round has five concerns, each about words of its own, so that nothing is remembered from another story.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// Three of the first round's concerns are upheld, none of the second's.
    SecondRoundKeepsAll,
    /// Three are upheld in the first and in the second round, and the third review finds nothing. A program that asks for the model
    /// `mock` counts its rounds itself and is told of concerns in each.
    ThirdReviewIsEmpty,
}

impl Script {
    /// Of our own program, a story.
    pub const fn calls(self) -> usize {
        match self {
            Self::SecondRoundKeepsAll => 16,
            Self::ThirdReviewIsEmpty => 18,
        }
    }
}

/// The server, and when it was first asked.
pub struct House {
    pub server: Server,
    asked: Arc<Mutex<Option<Instant>>>,
}

impl House {
    pub fn open(script: Script, latency: Duration) -> Self {
        let asked: Arc<Mutex<Option<Instant>>> = Arc::default();
        let first = Arc::clone(&asked);
        let server = Server::start(move |call| {
            first.lock().expect("the first request").get_or_insert_with(Instant::now);
            let whole = Reply::Whole(answer(script, call));
            if latency.is_zero() { whole } else { Reply::Late(latency, Box::new(whole)) }
        });
        Self { server, asked }
    }

    /// Before the next run.
    pub fn forget(&self) {
        self.server.forget();
        *self.asked.lock().expect("the first request") = None;
    }

    /// When this run's first request came.
    pub fn asked(&self) -> Instant {
        self.asked.lock().expect("the first request").expect("it asked")
    }
}

/// Writes a folder of new topics into a newsroom.
pub fn write_topics(newsroom: &Newsroom, folder: &str, topics: usize) {
    for number in 0..topics {
        let topic = topic(&format!("{folder}-{number}"));
        newsroom.write(&format!("{folder}/{number:04}.json"), topic.to_string().as_bytes());
    }
}

/// Steps in the newsroom's journal so far.
pub fn steps(newsroom: &Newsroom) -> u32 {
    if server_of_all_desks().is_some() {
        return psql(newsroom, "SELECT count(*) FROM journal").parse().expect("steps");
    }
    let database = newsroom.path().join("data/copydesk.db");
    if !database.exists() {
        return 0;
    }
    let connection = rusqlite::Connection::open(database).expect("the database");
    connection.query_row("SELECT count(*) FROM journal", [], |row| row.get(0)).expect("steps")
}

/// One minute's load: a core that is shared makes caches cold, so that CPU rises with it, not only wall.
pub fn load() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split_whitespace().next().unwrap_or("unknown").to_owned()
}

fn topic(number: &str) -> Value {
    let mut topic: Value = serde_json::from_str(TOPIC).expect("a topic");
    let source = topic["source_text"].as_str().expect("a source").to_owned();
    topic["source_text"] = json!(format!("Minutes no. {number}. {source}"));
    topic["source_metadata"]["topic_slug"] = json!(format!("story-{number}"));
    topic
}

fn answer(script: Script, call: &Call) -> String {
    let rest = call.user.split_once("Minutes no. ").map_or("", |(_, rest)| rest);
    let story = rest.split_once('.').map_or("", |(number, _)| number);
    let round = (1..=2).rev().find(|round| call.user.contains(&format!("(draft {})", round + 1))).unwrap_or(0) + 1;
    let counts_itself = call.body["model"] == "mock";
    match call.agent.as_str() {
        "writer" => article(story, 1),
        "revision" => article(story, round + 1),
        "article_review" if script == Script::ThirdReviewIsEmpty && round > 2 && !counts_itself => {
            "No concerns.".to_owned()
        }
        "article_review" => EXCERPTS
            .map(|excerpt| format!("- “{excerpt} {story} {round}” unsupported_fact: the source does not say so."))
            .join("\n"),
        "concern_mapping" => {
            let mappings: Vec<Value> = AGENTS
                .iter()
                .zip(1..)
                .map(|(agent, id): (_, u32)| {
                    json!({"concern_id": id, "concern_type": "unsupported_fact", "selected_agent": agent,
                        "confidence": "high", "reason": "Best fit for this kind of concern."})
                })
                .collect();
            json!({ "mappings": mappings }).to_string()
        }
        _ => verdict(call, script == Script::ThirdReviewIsEmpty || round == 1),
    }
}

fn article(story: &str, draft: u32) -> String {
    let paragraph = |start: usize| (0..4).map(|next| SENTENCES[(start + next) % 6]).collect::<Vec<_>>().join(" ");
    let beginning = BEGINNING[draft as usize - 1];
    let body: Vec<String> = (0..8).map(|start| paragraph(start).replace(BEGINNING[0], beginning)).collect();
    json!({
        "headline": format!("A park plan passes in {story} (draft {draft})"),
        "alternativeHeadline": "Seven to two",
        "articleBody": body.join("\n\n"),
        "description": "The council approved a renovation.",
    })
    .to_string()
}

fn verdict(call: &Call, upholds: bool) -> String {
    let rest = call.user.split_once("CONCERN_ID: ").map_or("", |(_, rest)| rest);
    let concern: u32 = rest.split_whitespace().next().and_then(|number| number.parse().ok()).expect("a concern");
    let upheld = upholds && concern <= 3;
    json!({
        "concern_id": concern,
        "misleading": upheld,
        "status": if upheld { "REWRITE" } else { "KEEP" },
        "rationale": "The claim was compared with the source text and with the passages; they do not carry it.",
        "suggested_fix": upheld.then_some("State only what the minutes say and name them as the source."),
        "evidence": "Minutes, item 4.",
        "citations": null
    })
    .to_string()
}
