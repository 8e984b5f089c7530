//! What a finished program left, read as another program would read it: the journal with its decisions, the log, the files.

use std::collections::BTreeSet;

use copydesk::{
    editorial::decisions,
    newsroom::{Choice, EventRecord, Journal, ListedRun, Step, Verdict},
    ports::{Archive, Audit, Records, RunKey, Scratch as _},
    store::Store,
};
use serde_json::Value;

use super::newsroom::{Newsroom, psql, server_of_all_desks};

/// A decision as a test writes it down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    pub round: u32,
    pub by: String,
    pub choice: Choice,
    pub undone: bool,
}

/// One run of a story, as the database has it.
pub struct Record {
    pub run: ListedRun,
    pub journal: Journal,
    pub log: Vec<EventRecord>,
}

impl Newsroom {
    /// The current run of `story` (`channel/slug`, or the slug alone).
    pub fn record(&self, story: &str) -> Record {
        self.records(story).into_iter().next().unwrap_or_else(|| panic!("the database has no story {story}"))
    }

    /// All runs of a story, the current one first.
    pub fn records(&self, slug: &str) -> Vec<Record> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let store = self.store();
        runtime.block_on(async {
            let mut records = Vec::new();
            for (key, run) in store.find(slug).await.expect("the story") {
                records.push(read(&store, key, run).await);
            }
            records
        })
    }

    /// What is kept of a text that is being typed in the current run of a story.
    pub fn kept(&self, slug: &str, what: &str) -> Option<String> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let store = self.store();
        runtime.block_on(async {
            let (run, _) = store.find(slug).await.expect("the story").into_iter().next().expect("a run");
            store.kept(run, what).await.expect("the text").map(|kept| kept.text)
        })
    }

    /// The check of the whole record, and the head of its log.
    pub fn chain(&self) -> (Audit, String) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let store = self.store();
        runtime.block_on(async {
            (store.audit(vec![]).await.expect("the log"), store.chain_head().await.expect("the log"))
        })
    }

    /// The desk of the newsroom, as its configuration names it.
    pub fn store(&self) -> Store {
        #[cfg(feature = "postgres")]
        if server_of_all_desks().is_some() {
            let yaml = self.read("config/config.yaml");
            let url = yaml.lines().find_map(|line| line.strip_prefix("database: postgres://"));
            return url.map_or_else(
                || panic!("a desk that is on no server"),
                |url| Store::connect(&format!("postgres://{url}")).expect("the server"),
            );
        }
        Store::open(&self.path().join("data/copydesk.db")).expect("the database")
    }

    /// The file, past the program: only of tests that are about it.
    pub fn database(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.path().join("data/copydesk.db")).expect("the database")
    }

    /// The contents of all that is stored by its hash, as they lie there.
    pub fn bodies(&self) -> BTreeSet<Vec<u8>> {
        let database = self.database();
        let mut rows = database.prepare("SELECT body FROM blob").expect("the blobs");
        rows.query_map([], |row| row.get(0)).expect("the blobs").map(|body| body.expect("a body")).collect()
    }

    /// The one value that `sql` asks for; what the program's own reader does not show.
    pub fn ask(&self, sql: &str) -> String {
        if server_of_all_desks().is_some() {
            return psql(self, sql).trim_start_matches("\\x").to_owned();
        }
        let connection = self.database();
        let value: rusqlite::types::Value = connection.query_row(sql, [], |row| row.get(0)).expect("an answer");
        match value {
            rusqlite::types::Value::Null => String::new(),
            rusqlite::types::Value::Integer(number) => number.to_string(),
            rusqlite::types::Value::Real(number) => number.to_string(),
            rusqlite::types::Value::Text(text) => text,
            rusqlite::types::Value::Blob(bytes) => hex::encode(bytes),
        }
    }
}

async fn read(store: &Store, key: RunKey, run: ListedRun) -> Record {
    let stored = store.load(key).await.expect("the run");
    Record { run, journal: stored.journal, log: store.events(key).await.expect("the log") }
}

impl Record {
    /// Every decision of the run, those that were undone and the undoings among them, in order.
    pub fn decisions(&self) -> Vec<Made> {
        (1..=self.journal.rounds().max(1))
            .flat_map(|round| self.journal.decisions(round))
            .map(|decided| Made {
                round: decided.round,
                by: decided.decision.by.clone(),
                choice: decided.decision.choice.clone(),
                undone: decided.undone,
            })
            .collect()
    }

    /// The names of the steps that are done, in order.
    pub fn steps(&self) -> Vec<String> {
        self.journal.entries().iter().map(|entry| entry.step.to_string()).collect()
    }

    /// The verdicts of a round's specialists, whatever an editor said.
    pub fn verdicts(&self, round: u32) -> Vec<Verdict> {
        self.journal.verdicts(round)
    }

    /// The verdicts that count.
    pub fn effective(&self, round: u32) -> Vec<Verdict> {
        decisions::effective_verdicts(&self.journal, round)
    }

    pub fn has(&self, step: Step) -> bool {
        self.journal.entries().iter().any(|entry| entry.step == step)
    }

    /// The log's events in their stable JSON form.
    pub fn events(&self) -> Vec<Value> {
        self.log.iter().map(|record| serde_json::to_value(&record.event).expect("JSON")).collect()
    }

    /// The log's events of one name, such as `decided`.
    pub fn events_of(&self, name: &str) -> Vec<Value> {
        self.events().into_iter().filter(|event| event["event"] == name).collect()
    }
}
