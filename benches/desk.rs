//! What a screen waits for: a desk of 10,000 stories opened and listed, the log's tail asked four times a second, a large run
//! read back, a story deleted, the whole desk backed up.
//!
//!     cargo bench --bench desk [-- stories()]
//!
//! The database is built through the store, once, in a temporary folder below `target`. Figures are medians and the worst of
//! the repetitions; the file's pages are in the system's cache, as they are on a second start.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a bench prints its figures, and stops where its own scaffolding breaks"
)]

mod sized;

use std::{
    path::Path,
    time::{Duration, Instant},
};

use copydesk::newsroom::Agent;
use copydesk::newsroom::Answer;
use copydesk::newsroom::ArticleResponse;
use copydesk::newsroom::CallKey;
use copydesk::newsroom::Draft;
use copydesk::newsroom::Entry;
use copydesk::newsroom::Event;
use copydesk::newsroom::ListedRun;
use copydesk::newsroom::Message;
use copydesk::newsroom::Opening;
use copydesk::newsroom::Outcome;
use copydesk::newsroom::Part;
use copydesk::newsroom::PathName;
use copydesk::newsroom::Prompt;
use copydesk::newsroom::Role;
use copydesk::newsroom::SourceMetadata;
use copydesk::newsroom::Status;
use copydesk::newsroom::Step;
use copydesk::newsroom::StoryKey;
use copydesk::newsroom::Topic;
use copydesk::newsroom::Usage;
use copydesk::newsroom::Verdict;
use copydesk::ports::Archive as _;
use copydesk::ports::Commit;
use copydesk::ports::Intent;
use copydesk::ports::NewRun;
use copydesk::ports::Records as _;
use copydesk::ports::RunKey;
use copydesk::ports::RunState;
use copydesk::ports::RunSummary;
use copydesk::ports::Stories as _;
use copydesk::ports::WorkProgress;
use copydesk::store::Store;
use copydesk::tui::screens::desk::model::{DeskList, DeskRow, StoryHolder};
use futures_util::{StreamExt as _, stream};
use sized::sized;

fn stories() -> usize {
    sized(10_000, 200)
}

fn repetitions() -> usize {
    sized(15, 1)
}

/// Concerns of the large run.
fn concerns() -> u32 {
    sized(1_000, 20)
}

const AT: &str = "2026-10-06T12:00:00.000Z";
const TOPIC: &str = include_str!("../assets/topics/miller-park-renovation.json");

fn main() {
    let stories = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(stories());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    runtime.block_on(measure(folder.path(), stories));
}

async fn measure(folder: &Path, stories: usize) {
    let file = folder.join("copydesk.db");
    let began = Instant::now();
    let large = build(&file, stories).await;
    let size = std::fs::metadata(&file).unwrap().len() >> 20;
    println!("{stories} stories, {size} MiB, built in {:.1} s", began.elapsed().as_secs_f64());

    let mut opened = Vec::new();
    for _ in 0..repetitions() {
        let began = Instant::now();
        let store = Store::open(&file).unwrap();
        let listed = store.list(false).await.unwrap();
        opened.push(began.elapsed());
        assert_eq!(listed.len(), stories + 1);
    }
    say("open the database and list the desk", opened);
    merge(&Store::open(&file).unwrap().list(false).await.unwrap());

    let store = Store::open(&file).unwrap();
    let last = store.tail(0).await.unwrap().last;
    let mut unchanged = Vec::new();
    for _ in 0..2_000 {
        let began = Instant::now();
        assert!(store.tail(last).await.unwrap().runs.is_empty());
        unchanged.push(began.elapsed());
    }
    say("tail of the log where nothing happened", unchanged);

    let runs: Vec<RunKey> = store.list(false).await.unwrap().into_iter().map(|(run, _)| run).take(10).collect();
    say("list ten runs anew", repeat(async || assert_eq!(store.listed(&runs).await.unwrap().len(), 10)).await);
    say("load a run of 1,000 concerns", repeat(async || drop(store.load(large).await.unwrap())).await);
    say(
        "its last entry",
        repeat(async || drop(store.entries_after(large, i64::from(concerns())).await.unwrap())).await,
    );
    say("its call log", repeat(async || drop(store.call_log(large).await.unwrap())).await);
    let step = Step::Judge { round: 1, concern: 1 };
    say("the texts of one call", repeat(async || drop(store.call_text(large, step, 1).await.unwrap().unwrap())).await);
    let mut deleted = Vec::new();
    for number in 0..5 {
        let began = Instant::now();
        assert!(store.delete_story(&story(number), "M. Ito", AT).await.unwrap().unwrap().wiped);
        deleted.push(began.elapsed());
    }
    say("delete a story", deleted);
    say("check the whole record", repeat(async || assert!(store.audit(Vec::new()).await.is_ok())).await);
    let began = Instant::now();
    store.backup(&folder.join("backup"), WorkProgress::default()).await.unwrap();
    say("back the desk up", vec![began.elapsed()]);
}

/// A tenth of the stories has changed: their rows go into the list on the screen.
fn merge(listed: &[(RunKey, ListedRun)]) {
    let row = |(key, run): &(RunKey, ListedRun)| DeskRow::new(*key, run.clone(), StoryHolder::Nobody);
    let mut list = DeskList::default();
    list.set(listed.iter().map(row).collect());
    let mut merged = Vec::new();
    for _ in 0..repetitions() {
        let changed = listed.iter().rev().step_by(10).map(row).collect();
        let began = Instant::now();
        list.merge(changed);
        merged.push(began.elapsed());
        assert_eq!(list.all().len(), listed.len());
    }
    say("merge a tenth of the stories into the list", merged);
}

async fn repeat(work: impl AsyncFn()) -> Vec<Duration> {
    let mut times = Vec::new();
    for _ in 0..repetitions() {
        let began = Instant::now();
        work().await;
        times.push(began.elapsed());
    }
    times
}

fn say(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let milliseconds = |time: &Duration| time.as_secs_f64() * 1e3;
    println!(
        "{what:<42} {:>10.3} ms   worst of {:>4} {:>10.3} ms",
        milliseconds(&times[times.len() / 2]),
        times.len(),
        milliseconds(&times[times.len() - 1])
    );
}

fn name(text: &str) -> PathName {
    PathName::new(text).unwrap()
}

fn story(number: usize) -> StoryKey {
    StoryKey::new(name("desk"), name(&format!("story-{number}")))
}

/// Builds the desk; returns the large run.
async fn build(file: &Path, stories: usize) -> RunKey {
    let store = Store::open(file).unwrap();
    let large = small(&store, stories).await;
    let mut opened = stream::iter(0..stories).map(|number| small(&store, number)).buffer_unordered(64);
    while opened.next().await.is_some() {}
    drop(opened);
    let concerns: Vec<u32> = (1..=concerns()).collect();
    for some in concerns.chunks(50) {
        store.commit(large, judged(some), None).await.unwrap();
    }
    large
}

/// The draft of a story.
fn draft(number: usize, words: &str) -> Draft {
    let text = |part: &str| format!("{part} of story {number}. {words}");
    Draft {
        article: ArticleResponse {
            headline: text("Headline"),
            alternativeHeadline: text("Alternative"),
            articleBody: text("Body"),
            description: text("Description"),
        },
        stripped: Vec::new(),
        undone: Vec::new(),
    }
}

/// A story with one run: opened, drafted by a call, closed.
async fn small(store: &Store, number: usize) -> RunKey {
    let topic: serde_json::Value = serde_json::from_str(TOPIC).unwrap();
    let source = format!("{number}. {}", topic["source_text"].as_str().unwrap());
    let key = story(number);
    let run_id = format!("20261006T120000Z_{number:08x}");
    let opening = Opening {
        artifacts_dir: format!("data/runs/{key}/{run_id}"),
        run_id,
        opened_at: AT.into(),
        desk: Some("city".into()),
        pins: "pins".into(),
        ..Opening::of(
            Topic {
                source_text: source.clone(),
                source_metadata: SourceMetadata {
                    source_file: "park.json".into(),
                    channel_name: key.channel,
                    video_id: String::new(),
                    video_title: "Minutes".into(),
                    publish_date: None,
                    topic_slug: key.slug,
                    topic_title: format!("The council votes on matter {number}"),
                },
                style_mode: "SCIAM_MAGAZINE".into(),
                target_length_words: "250-400".into(),
                optional_angle: None,
            },
            3,
        )
    };
    let step = Step::Draft;
    let draft = draft(number, source.get(..400).unwrap_or_default());
    let commit = Commit {
        at: AT.into(),
        entries: vec![Entry {
            step,
            outcome: Outcome::Draft(draft.clone()),
            at: AT.into(),
            usage: Usage::default(),
            shown: None,
        }],
        intents: vec![intent(step, Agent::Writer, source.clone())],
        answers: vec![(
            CallKey { step, attempt: 1 },
            Answer { text: format!("Answer of story {number}. {}", draft.article.articleBody), ..Answer::default() },
        )],
        events: vec![
            Event::RunOpened { title: "Matter".into(), engine: "llm".into(), max_rounds: 3 },
            Event::StepDone { step, summary: "a draft of 400 words".into() },
            Event::RunClosed {
                success: true,
                rounds: 1,
                open_concerns: 0,
                flags: Vec::new(),
                error: None,
                extract: false,
            },
        ],
        summary: Some(RunSummary {
            extract: false,
            headline: None,
            state: RunState::Succeeded,
            waits: None,
            signed_by: None,
            rounds: 1,
            max_rounds: 3,
            open_concerns: 0,
            flags: vec!["rounds used up with concerns open".into()],
            prompt_tokens: 4000,
            completion_tokens: 900,
            error: None,
        }),
        ..Commit::default()
    };
    store
        .open_run(NewRun { opening, takes_over: None, priority: None, batch: None, first: commit }, None)
        .await
        .unwrap()
        .unwrap()
        .0
}

fn intent(step: Step, agent: Agent, text: String) -> Intent {
    let part = |name: &str, text: String| Part { name: name.into(), text };
    let system = Message::new(Role::System, vec![part("template", "You check what a draft says. ".repeat(60))]);
    let user = Message::new(Role::User, vec![part("SOURCE_TEXT", text), part("task", format!("Do {step}."))]);
    Intent {
        key: CallKey { step, attempt: 1 },
        agent,
        model: "a-model".into(),
        host: "127.0.1".into(),
        digest: format!("{:064x}", step.concern().unwrap_or(0)),
        prompt: Prompt::new(vec![system, user]),
        reckoned: (0, 0),
    }
}

/// Verdicts on some concerns, each of a call.
fn judged(concerns: &[u32]) -> Commit {
    let mut commit = Commit { at: AT.into(), ..Commit::default() };
    for &concern_id in concerns {
        let step = Step::Judge { round: 1, concern: concern_id };
        let verdict = Verdict {
            concern_id,
            misleading: true,
            status: Status::Rewrite,
            rationale: format!("Concern {concern_id}: the source does not say so, as far as it can be read. ")
                .repeat(6),
            suggested_fix: Some("Say that the month is not decided.".into()),
            evidence: None,
            citations: None,
        };
        let text = serde_json::to_string(&verdict).unwrap();
        commit.intents.push(intent(step, Agent::Writer, "The council voted. ".repeat(100)));
        commit.answers.push((CallKey { step, attempt: 1 }, Answer { text, ..Answer::default() }));
        commit.entries.push(Entry {
            step,
            outcome: Outcome::Verdict(verdict),
            at: AT.into(),
            usage: Usage::default(),
            shown: None,
        });
        commit.events.push(Event::StepDone { step, summary: "REWRITE".into() });
    }
    commit
}
