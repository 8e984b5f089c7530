//! The memory, for the snapshots.

use crate::{
    app::{self, actions::Action, model::Model},
    screens::{
        memory::{list::MemoryList, record::RecordPage},
        story::tabs::{Pane, Tab},
    },
};
use copydesk_core::ports::{Book, RecordState, Remembered, Strike};
use copydesk_newsroom::*;

fn verdict(concern_id: u32, status: Status, rationale: &str, citation: &str) -> Verdict {
    Verdict {
        concern_id,
        misleading: status != Status::Keep,
        status,
        rationale: rationale.into(),
        suggested_fix: (status != Status::Keep).then(|| "Take the month out.".to_owned()),
        evidence: Some("“Work on parks must not begin in April”, says the ordinance.".into()),
        citations: Some(vec![citation.into()]),
    }
}

pub(crate) fn fact_check() -> MemoryRecord {
    let citation = "parks/ordinance.md, bytes 120-181";
    MemoryRecord::FactCheck(FactCheckRecord {
        timestamp: "2026-09-28T09:41:00.000Z".into(),
        article_id: "local-news/east-park".into(),
        concern_id: 4,
        prompt: "You check facts.".into(),
        query: "work will begin in April".into(),
        normalized_query: "⟦work will begin in april⟧".into(),
        model_name: "qwen3-30b-a3b".into(),
        kb_index_version: "55d1f0a9c3b27e64".into(),
        cache_key_hash: "9f86d081884c7d65".into(),
        kb_response: format!("{citation}\nWork on parks must not begin in April, says the ordinance of 2019."),
        verdict: verdict(
            4,
            Status::Remove,
            "The ordinance forbids work in April, and the minutes name no month.",
            citation,
        ),
    })
}

fn search(query: &str, timestamp: &str) -> MemoryRecord {
    let citation = "https://evidence.example/benches";
    MemoryRecord::Evidence(EvidenceRecord {
        timestamp: timestamp.into(),
        article_id: "local-news/公園-benches".into(),
        concern_id: 1,
        prompt: "You search.".into(),
        query: query.into(),
        normalized_query: format!("⟦{}⟧", query.to_lowercase()),
        model_name: "sonar".into(),
        cache_key_hash: "60303ae22b998861".into(),
        perplexity_response: "Two counts of benches are public.".into(),
        citations: vec![citation.into()],
        verdict: verdict(1, Status::Keep, "Both counts agree.", citation),
    })
}

fn kept(record: MemoryRecord, run: Option<&str>, standing: RecordState) -> Remembered {
    Remembered { record, run: run.map(str::to_owned), standing }
}

fn struck() -> Remembered {
    let strike = Strike {
        by: "Ada Quill".into(),
        at: "2026-10-05T08:00:00.000Z".into(),
        reason: "The ordinance was changed in September.".into(),
    };
    kept(fact_check(), Some("20260928T093000Z_0011aabb"), RecordState::Struck(strike))
}

fn book() -> Book {
    let records = vec![
        kept(search("Forty benches stand in the park", "2026-10-02T10:00:00.000Z"), None, RecordState::Offered),
        struck(),
        kept(search("Half of all visitors come by bus", "2026-09-20T10:00:00.000Z"), None, RecordState::Overruled),
        kept(
            search("The park has 12 gates, each locked at night by the keeper", "2026-02-01T10:00:00.000Z"),
            None,
            RecordState::Offered,
        ),
    ];
    Book { records, unreadable: 1 }
}

/// The list with what was typed into it.
pub(crate) fn list(query: &str, book_read: Option<Book>) -> MemoryList {
    let mut list = MemoryList::new(Some("2026-07-08T12:00:00.000Z".into()));
    if let Some(book) = book_read {
        list.set(book);
    }
    list.query = query.into();
    list.arrange();
    list
}

pub(crate) fn full(query: &str) -> MemoryList {
    list(query, Some(book()))
}

/// A struck record, opened from the list.
pub(crate) fn struck_record() -> RecordPage {
    RecordPage::listed(struck(), None)
}

/// A story whose third concern was decided by an earlier check.
pub(crate) fn story() -> Model {
    let mut journal = crate::testing::demo_story::at_gate();
    let look_up = LookUp {
        query: "work will begin in April".into(),
        normalized_query: "work will begin in april".into(),
        model_name: "qwen3-30b-a3b".into(),
        kb_index_version: Some("55d1f0a9c3b27e64".into()),
        cache_key_hash: "9f86d081884c7d65".into(),
        remembered: Some(fact_check()),
        passages: vec![],
        ..LookUp::default()
    };
    let concern = journal.concerns(1).unwrap().concerns[2].concern_id;
    journal.push(Entry {
        step: Step::LookUp { round: 1, concern },
        outcome: Outcome::LookUp(look_up),
        at: "2026-10-06T12:02:00.000Z".into(),
        usage: Usage::default(),
        shown: None,
    });
    let mut model = crate::testing::demo_story::story(journal, Tab::Concerns);
    let story = model.story.as_deref_mut().unwrap();
    (story.concerns.pane, story.concerns.selected) = (Pane::List, 2);
    story.lay_panes();
    model
}

/// The record that it was decided by, as the key opens it; known to be offered still where `is_known`.
pub(crate) fn reused(is_known: bool) -> Model {
    let mut model = story();
    app::perform::perform(&mut model, Action::ShowRemembered);
    if is_known {
        let book = Book {
            records: vec![kept(fact_check(), Some("20260928T093000Z_0011aabb"), RecordState::Offered)],
            unreadable: 0,
        };
        let news = crate::app::news::News::Record("9f86d081884c7d65".into(), book);
        app::update::update(&mut model, app::update::Arrival::News(Box::new(news)));
    }
    model
}

/// The form that asks for the reason to strike a record.
pub(crate) fn striking() -> Model {
    let mut model = reused(true);
    app::perform::perform(&mut model, Action::StrikeRecord);
    model
}
