//! Every reader of bytes that a stranger may have made, each as a function that takes any bytes and must come back. The fuzzer
//! (`fuzz/`) and the replay of its corpus (`tests/faults/corpus.rs`) call the same functions.

use std::{path::Path, sync::LazyLock};

use copydesk::{
    agents::Agents,
    config,
    documents::{self, ReadingPurpose},
    editorial::{drafts, topic_file},
    llm,
    newsroom::{Answer, ArticleResponse, Journal, Opening, Source, Step},
    proof::{self, Gravity},
    style::{Dictionary, Style},
    tui::widgets::{
        markdown::Rendered,
        theme::{Theme, ThemeName},
    },
};
use serde_json::json;

/// Reads bytes of somebody else, and panics if what it promises is not so.
type ForeignReader = fn(&[u8]);

/// Each reader by the name of its target and of its folder in the corpus.
pub const READERS: [(&str, ForeignReader); 9] = [
    ("documents", read_document),
    ("topics", read_topic),
    ("drafts", read_draft),
    ("answers", read_answer),
    ("events", read_events),
    ("configuration", read_configuration),
    ("rules", read_rule),
    ("ledger", prove),
    ("page", lay_out),
];

/// The first line is the file's name, the rest its bytes.
pub fn read_document(bytes: &[u8]) {
    let (name, body) = cut(bytes, b'\n');
    let name = String::from_utf8_lossy(name);
    for purpose in [ReadingPurpose::Source, ReadingPurpose::Index, ReadingPurpose::Draft, ReadingPurpose::Research] {
        if let Ok(document) = documents::read(&name, body, purpose) {
            assert!(document.hidden.iter().all(|hidden| !hidden.text.contains('\x1b')), "no escape is shown");
        }
    }
    let _facts = documents::page_facts(&name, body);
}

pub fn read_topic(bytes: &[u8]) {
    let defaults = topic_file::TopicDefaults {
        allowed_styles: vec!["NEWS_BRIEF".into()],
        style_mode: "NEWS_BRIEF".into(),
        target_length_words: "250-400".into(),
    };
    if let Ok(topic) = topic_file::parse(bytes, &defaults) {
        assert!(!topic.source_text.contains('\x1b'), "no escape is kept");
    }
}

pub fn read_draft(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(article) = drafts::from_text(&text) {
        let again = drafts::from_text(&drafts::to_markdown(&article));
        assert!(again.is_ok() || article.articleBody.trim().is_empty(), "what is written can be read: {article:?}");
    }
    // Whether it is taken or refused is not the question.
    let _ = drafts::own(&text);
}

/// The answer of each agent at the beginning of a run.
pub fn read_answer(bytes: &[u8]) {
    let journal = Journal::new(opening());
    let answer = Answer { text: String::from_utf8_lossy(bytes).into_owned(), ..Answer::default() };
    let round = 1;
    for step in [
        Step::Draft,
        Step::Review { round },
        Step::ReviewSection { round, section: 1 },
        Step::Map { round },
        Step::Questions { round, concern: 1 },
        Step::Search { round, concern: 1 },
        Step::Judge { round, concern: 1 },
        Step::Plan,
        Step::Coverage { pass: 1 },
        Step::Triage { round },
    ] {
        // Most are no answer to most steps.
        let _ = Agents::read(&journal, step, &answer);
    }
}

pub fn read_events(bytes: &[u8]) {
    for calls in [false, true] {
        // A stream that breaks off is the rule here.
        let _ = llm::answer_in(bytes, calls);
    }
}

pub fn read_configuration(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Err(error) = config::load(Path::new("config.yaml"), &text, Path::new("/desk")) {
        assert!(!error.to_string().is_empty(), "a refusal says why");
    }
}

/// A rule of house style, held against an article.
pub fn read_rule(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(style) = Style::read(&[("rule.yml", text.as_ref())]) {
        let _notes = style.judge(&ARTICLE, &Dictionary::new(&ARTICLE, &[]));
    }
}

/// A draft, and its source after a line of dashes.
pub fn prove(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (body, source) = text.split_once("\n---\n").unwrap_or((&text, &text));
    let article = ArticleResponse { articleBody: body.to_owned(), ..ARTICLE.clone() };
    let sources = [Source { name: "notes.md".into(), text: source.to_owned() }];
    for row in proof::ledger(&article, &sources, Gravity::Note).rows {
        let field = article.fields().into_iter().find(|(name, _)| *name == row.field);
        let stretch = field.and_then(|(_, text)| text.get(row.start..row.end));
        assert!(stretch.is_some(), "each row names a stretch of the draft: {row:?}");
    }
}

/// An article as the screen shows it, also on one that is too narrow.
pub fn lay_out(bytes: &[u8]) {
    let article = ArticleResponse { articleBody: String::from_utf8_lossy(bytes).into_owned(), ..ARTICLE.clone() };
    for width in [0, 1, 2, 40, 80] {
        let page = Rendered::new(&article, width, &Theme::named(ThemeName::Monochrome), &[]);
        assert!(width > 0 || page.lines.is_empty(), "no columns, no lines");
    }
}

static ARTICLE: LazyLock<ArticleResponse> = LazyLock::new(|| {
    drafts::from_text(
        "# Council votes to renovate Miller Park\n\nThe council voted seven to two on Tuesday, the mayor said.\n",
    )
    .expect("a draft")
});

fn opening() -> Opening {
    serde_json::from_value(json!({
        "run_id": "20261006T120000Z_0123abcd",
        "opened_at": "2026-10-06T12:00:00.000Z",
        "artifacts_dir": "data/runs/desk/park/20261006T120000Z_0123abcd",
        "topic": {
            "source_text": "The council voted seven to two.",
            "source_metadata": {
                "source_file": "park.json", "channel_name": "desk", "video_id": "m1", "video_title": "Minutes",
                "publish_date": null, "topic_slug": "park", "topic_title": "The park"
            },
            "style_mode": "NEWS_BRIEF",
            "target_length_words": "250-400",
            "optional_angle": null
        },
        "more_sources": [],
        "seeks_evidence": false,
        "max_rounds": 2,
        "pins": "pins"
    }))
    .expect("an opening")
}

fn cut(bytes: &[u8], at: u8) -> (&[u8], &[u8]) {
    match bytes.iter().position(|byte| *byte == at) {
        Some(place) => (&bytes[..place], &bytes[place + 1..]),
        None => (&[], bytes),
    }
}
