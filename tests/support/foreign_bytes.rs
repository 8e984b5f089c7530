//! Every reader of bytes that a stranger may have made, each as a function that takes any bytes and must come back. The fuzzer
//! (`fuzz/`) and the replay of its corpus (`tests/faults/corpus.rs`) call the same functions.

use std::{path::Path, sync::LazyLock};

use copydesk::{
    agents::Agents,
    config,
    documents::{self, ReadingPurpose},
    editorial::{bullets, drafts, topic_file},
    llm,
    newsroom::{
        Answer, ArticleResponse, Entry, Journal, Opening, Outcome, ResearchErrand, ResearchFinding, Source, Step,
    },
    proof::{self, Gravity},
    style::{Dictionary, Style},
    tui::widgets::{
        markdown::Rendered,
        theme::{Theme, ThemeName},
        wrap,
    },
};
use serde_json::Value;

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
}

pub fn read_topic(bytes: &[u8]) {
    let defaults = topic_file::TopicDefaults {
        allowed_styles: vec!["NEWS_BRIEF".into()],
        style_mode: "NEWS_BRIEF".into(),
        target_length_words: "250-400".into(),
    };
    if let Ok((topic, _)) = topic_file::parse(bytes, &defaults) {
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

/// The answer of each agent, at the beginning of a run and in the middle of one.
pub fn read_answer(bytes: &[u8]) {
    let answer = Answer { text: String::from_utf8_lossy(bytes).into_owned(), ..Answer::default() };
    for journal in [&*AT_ITS_BEGINNING, &*MIDWAY] {
        answered(journal, &answer);
    }
}

fn answered(journal: &Journal, answer: &Answer) {
    let (round, concern, errand) = (1, 1, ResearchErrand::Pass(1));
    for step in [
        Step::Draft,
        Step::Review { round },
        Step::ReviewSection { round, section: 1 },
        Step::Map { round },
        Step::Questions { round, concern },
        Step::Opinion { round, batch: 1 },
        Step::Search { round, concern },
        Step::Judge { round, concern },
        Step::Judge { round, concern: 2 },
        Step::Plan,
        Step::Turn { errand, turn: 2 },
        Step::Coverage { pass: 1 },
        Step::Triage { round },
    ] {
        // Most are no answer to most steps.
        let Ok(outcome) = Agents::read(journal, step, answer) else { continue };
        let kept = serde_json::to_value(&outcome).expect("what is read can be kept");
        assert!(!has_escape(&kept), "no escape is kept of {step}: {kept}");
        match outcome {
            Outcome::Verdict(verdict) => {
                assert!(step == Step::Judge { round, concern: verdict.concern_id }, "{step}: {verdict:?}");
                assert_eq!(verdict.flaw(), None);
                let found = journal.evidence(round, verdict.concern_id).map(|found| found.citations.as_slice());
                let given = found.unwrap_or_default();
                assert!(verdict.citations.iter().flatten().all(|cited| given.contains(cited)), "{verdict:?}");
            }
            Outcome::Mapping(mapping) => {
                let concerns = journal.concerns(round).map(|its| its.concerns.as_slice()).unwrap_or_default();
                assert!(
                    mapping.mappings.iter().map(|one| one.concern_id).eq(concerns.iter().map(|one| one.concern_id))
                );
            }
            Outcome::Review(review) => {
                let concerns = bullets::parse(&review.raw).expect("bullets that were read").concerns;
                assert!((1..).zip(&concerns).all(|(id, concern): (u32, _)| concern.concern_id == id), "{concerns:?}");
            }
            Outcome::Turn(turn) => {
                let stands = |finding: &ResearchFinding| finding.source == "S1" && !finding.quotation.is_empty();
                assert!(turn.findings.iter().flatten().all(stands), "only what stands in a source: {turn:?}");
            }
            _ => {}
        }
    }
}

fn has_escape(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\x1b'),
        Value::Array(items) => items.iter().any(has_escape),
        Value::Object(fields) => fields.iter().any(|(name, value)| name.contains('\x1b') || has_escape(value)),
        _ => false,
    }
}

pub fn read_events(bytes: &[u8]) {
    for calls in [false, true] {
        // A stream that breaks off is the rule here. What comes through goes where answers go.
        if let Ok(text) = llm::answer_in(bytes, calls) {
            answered(&MIDWAY, &Answer { text, ..Answer::default() });
        }
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
        for line in &page.lines {
            // As its cells are drawn, span by span, and as the library of the screen counts it.
            let drawn: usize = line.spans.iter().map(|span| wrap::width_of(&span.content)).sum();
            let wide = drawn.max(line.width());
            assert!(wide <= usize::from(width), "no line is wider than {width}: {wide}, {line:?}");
        }
    }
}

static ARTICLE: LazyLock<ArticleResponse> = LazyLock::new(|| {
    drafts::from_text(
        "# Council votes to renovate Miller Park\n\nThe council voted seven to two on Tuesday, the mayor said.\n",
    )
    .expect("a draft")
});

/// A run that has a plan, a page, a draft, concerns, evidence and a verdict.
static MIDWAY: LazyLock<Journal> = LazyLock::new(|| {
    let mut journal = AT_ITS_BEGINNING.clone();
    for entry in &STORED.1 {
        journal.push(entry.clone());
    }
    journal
});

static AT_ITS_BEGINNING: LazyLock<Journal> = LazyLock::new(|| Journal::new(STORED.0.clone()));

static STORED: LazyLock<(Opening, Vec<Entry>)> = LazyLock::new(|| {
    let mut stored: Value = serde_json::from_str(include_str!("../fixtures/answers/journal.json")).expect("a journal");
    let opening = serde_json::from_value(stored["opening"].take()).expect("an opening");
    (opening, serde_json::from_value(stored["entries"].take()).expect("entries"))
});

fn cut(bytes: &[u8], at: u8) -> (&[u8], &[u8]) {
    match bytes.iter().position(|byte| *byte == at) {
        Some(place) => (&bytes[..place], &bytes[place + 1..]),
        None => (&[], bytes),
    }
}
