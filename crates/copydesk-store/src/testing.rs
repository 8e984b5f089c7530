//! A newsroom's database for the store's tests.

use tempfile::TempDir;

use super::Store;
use copydesk_core::editorial::testing::{article, opening, verdict};
use copydesk_core::ports::{Commit, Intent, NewRun, Records as _, RunKey};
use copydesk_newsroom::*;

pub(super) const AT: &str = "2026-10-06T12:00:00.000Z";

/// A desk of its own: in a folder or, if the tests are told of a server, in a schema there.
pub(super) fn store() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    #[cfg(feature = "postgres")]
    if let Some(store) = on_server() {
        return (folder, store);
    }
    drop(folder);
    store_in_a_file()
}

/// A desk in the file `copydesk.db` of a folder of its own, whatever the other tests use.
pub(super) fn store_in_a_file() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("copydesk.db")).unwrap();
    (folder, store)
}

/// The address of a PostgreSQL server on which the store's tests run, with an empty database.
#[cfg(feature = "postgres")]
pub(super) const SERVER: &str = "COPYDESK_TEST_POSTGRES";

#[cfg(feature = "postgres")]
fn on_server() -> Option<Store> {
    server_url().map(|url| Store::connect(&url).unwrap())
}

/// The address of a desk of its own on that server.
#[cfg(feature = "postgres")]
#[expect(clippy::disallowed_methods, reason = "a person or `.ci/postgres` names the server of these tests")]
pub(super) fn server_url() -> Option<String> {
    use std::sync::atomic::{AtomicU64, Ordering};
    static DESKS: AtomicU64 = AtomicU64::new(0);
    let url = std::env::var(SERVER).ok()?;
    let schema = format!("desk_{}_{}", std::process::id(), DESKS.fetch_add(1, Ordering::Relaxed));
    Some(format!("{url}?schema={schema}"))
}

pub(super) fn story(slug: &str) -> StoryKey {
    StoryKey::new(PathName::new("desk").unwrap(), PathName::new(slug).unwrap())
}

/// An opening of the story `desk/SLUG` whose source is `source`.
pub(super) fn opening_of(slug: &str, run_id: &str, source: &str) -> Opening {
    let mut opening = opening();
    opening.run_id = run_id.into();
    opening.artifacts_dir = format!("data/runs/desk/{slug}/{run_id}");
    opening.topic.source_metadata.topic_slug = PathName::new(slug).unwrap();
    opening.topic.source_text = source.into();
    opening
}

pub(super) async fn open(store: &Store, opening: Opening, takes_over: Option<RunKey>) -> RunKey {
    let opened = Event::RunOpened { title: "The park".into(), engine: "llm".into(), max_rounds: 2 };
    let first = Commit { at: AT.into(), events: vec![opened], ..Commit::default() };
    store.open_run(NewRun { opening, takes_over, priority: None, batch: None, first }, None).await.unwrap().unwrap().0
}

pub(super) fn draft(body: &str) -> Entry {
    let draft = Draft { article: article(body), stripped: vec![], undone: vec![] };
    Entry { step: Step::Draft, outcome: Outcome::Draft(draft), at: AT.into(), usage: Usage::default(), shown: None }
}

pub(super) fn prompt(source: &str) -> Prompt {
    let part = |name: &str, text: &str| Part { name: name.into(), text: text.into() };
    let template = "You are the Writer. ".repeat(20);
    let system = Message::new(Role::System, vec![part("template", &template)]);
    let user = Message::new(Role::User, vec![part("before", "SOURCE: "), part("SOURCE_TEXT", source)]);
    Prompt::new(vec![system, user])
}

/// A conversation: two calls, the result of one, and a tool; its long text comes from `source`.
pub(super) fn conversation(source: &str) -> Prompt {
    let mut prompt = prompt(source);
    let call = |id: &str, arguments: &str| {
        let arguments = serde_json::json!({"q": arguments}).to_string();
        ToolCall { id: id.into(), name: "search".into(), arguments }
    };
    let calls = vec![call("a", source), call("b", "park")];
    prompt.messages.push(Message { calls, ..Message::new(Role::Assistant, vec![]) });
    let result = Part { name: "result".into(), text: "Nothing.".into() };
    prompt.messages.push(Message { answers: Some("b".into()), ..Message::new(Role::Tool, vec![result]) });
    prompt.tools.push(Tool {
        name: "search".into(),
        description: format!("Searches for {source}"),
        parameters: serde_json::json!({"type": "object"}),
        effect: ToolEffect::Reads,
    });
    prompt
}

pub(super) fn intent(step: Step, attempt: u32, source: &str) -> Intent {
    Intent {
        key: CallKey { step, attempt },
        agent: Agent::Writer,
        model: "m".into(),
        host: "localhost".into(),
        digest: format!("digest of {step}"),
        prompt: prompt(source),
        reckoned: (100, 50),
    }
}

/// A call of `step` that is asked and answered at once.
pub(super) fn call(step: Step, source: &str, answer: &str) -> Commit {
    let answer = Answer { text: answer.into(), ..Answer::default() };
    Commit {
        at: AT.into(),
        intents: vec![intent(step, 1, source)],
        answers: vec![(CallKey { step, attempt: 1 }, answer)],
        ..Commit::default()
    }
}

pub(super) fn record(story: &str, hash: &str, prompt: &str) -> MemoryRecord {
    MemoryRecord::FactCheck(FactCheckRecord {
        timestamp: AT.into(),
        article_id: story.into(),
        concern_id: 1,
        prompt: prompt.into(),
        query: "q".into(),
        normalized_query: "q".into(),
        model_name: "m".into(),
        kb_index_version: "v".into(),
        cache_key_hash: hash.into(),
        kb_response: String::new(),
        verdict: verdict(1, Status::Keep, None),
    })
}
