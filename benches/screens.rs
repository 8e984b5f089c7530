//! What a frame costs where a text is long: each as a key press would cause it.
//!
//!     cargo bench --bench screens

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a bench stops where its own scaffolding breaks"
)]

mod sized;

use std::{path::Path, sync::Arc};

use copydesk::editorial::changes;
use copydesk::editorial::excerpts;
use copydesk::editorial::export;
use copydesk::editorial::gate;
use copydesk::newsroom::ArticleResponse;
use copydesk::newsroom::ArticleReviewResult;
use copydesk::newsroom::Concern;
use copydesk::newsroom::Draft;
use copydesk::newsroom::Entry;
use copydesk::newsroom::Journal;
use copydesk::newsroom::Opening;
use copydesk::newsroom::Outcome;
use copydesk::newsroom::PathName;
use copydesk::newsroom::SourceMetadata;
use copydesk::newsroom::Status;
use copydesk::newsroom::Step;
use copydesk::newsroom::Topic;
use copydesk::newsroom::Usage;
use copydesk::newsroom::Verdict;
use copydesk::proof::Witnesses;
use copydesk::tui::{
    screens::{
        article::signing::{self, Signing, SigningBeside},
        changes::comparisons::Comparisons,
        concerns::panes,
        live::streaming::Streaming,
    },
    widgets::{
        highlight,
        mark::{Mark, TextRole},
        markdown::{FieldMark, Rendered},
        page::{Page, ScrolledText as _},
        theme::{Theme, ThemeName},
    },
};
use divan::{Bencher, counter::BytesCount};
use ratatui::{buffer::Buffer, layout::Rect};
use serde_json::Value;
use sized::sized;

fn main() {
    divan::main();
}

const MEGABYTE: usize = 1 << 20;

/// `length` bytes and a little more of the shipped topics' texts, one after the other.
fn prose(length: usize) -> String {
    let length = sized(length, length.min(100_000));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/topics");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut text = String::new();
    for file in files.iter().cycle() {
        let topic: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        text.push_str(topic["source_text"].as_str().unwrap());
        text.push_str("\n\n");
        if text.len() >= length {
            break;
        }
    }
    text
}

/// So many words, in paragraphs of sixty.
fn body(count: usize) -> String {
    let text = prose(count * 8);
    let words: Vec<&str> = text.split_whitespace().take(count).collect();
    words.chunks(60).map(|paragraph| paragraph.join(" ")).collect::<Vec<_>>().join("\n\n")
}

fn article(body: String) -> ArticleResponse {
    ArticleResponse {
        headline: "Council votes seven to two to renovate Miller Park".into(),
        alternativeHeadline: "A park plan passes".into(),
        articleBody: body,
        description: "The council approved a renovation of the park on Tuesday.".into(),
    }
}

/// A source in the middle, with two hundred passages marked and a search that hits often.
fn page(text: String) -> Page {
    let length = text.len();
    let mut page = Page::new(text.into());
    page.mark((0..200).map(|n| Mark::new(n * length / 200..n * length / 200 + 80, TextRole::Passage)).collect());
    page.search("the");
    page.show(&(length / 2..length / 2 + 1));
    page
}

fn frames(bencher: Bencher, text: String) {
    let mut page = page(text);
    let theme = Theme::named(ThemeName::Dark);
    let mut width = 60;
    bencher.bench_local(|| {
        width = if width >= 200 { 60 } else { width + 1 };
        let area = Rect::new(0, 0, width, 60);
        let mut buf = Buffer::empty(area);
        page.scroll_by(if width % 2 == 0 { 3 } else { -2 });
        page.view(area, &mut buf, &theme);
        buf
    });
}

/// Scrolled and at another width with each frame, as in a storm of resizes.
#[divan::bench(sample_count = 1000)]
fn page_of_1_mb_at_changing_widths(bencher: Bencher) {
    frames(bencher, prose(MEGABYTE));
}

#[divan::bench(sample_count = 1000)]
fn page_of_1_mb_in_one_line(bencher: Bencher) {
    frames(bencher, "x".repeat(MEGABYTE));
}

#[divan::bench(sample_count = 1000)]
fn page_of_1_mb_of_wide_characters(bencher: Bencher) {
    frames(bencher, "東京都".repeat(MEGABYTE / 9));
}

#[divan::bench(sample_count = 1000)]
fn page_of_1_mb_at_one_width(bencher: Bencher) {
    let mut page = page(prose(MEGABYTE));
    let theme = Theme::named(ThemeName::Dark);
    let area = Rect::new(0, 0, 120, 60);
    bencher.bench_local(|| {
        let mut buf = Buffer::empty(area);
        page.scroll_by(1);
        page.view(area, &mut buf, &theme);
        buf
    });
}

#[divan::bench]
fn page_opened_on_1_mb(bencher: Bencher) {
    let text: Arc<str> = prose(MEGABYTE).into();
    bencher.counter(BytesCount::of_str(&*text)).bench(|| Page::new(Arc::clone(&text)));
}

#[divan::bench]
fn search_of_1_mb(bencher: Bencher) {
    let mut page = Page::new(prose(MEGABYTE).into());
    bencher.bench_local(|| page.search("council meeting"));
}

#[divan::bench(args = [1_000, 10_000])]
fn article_of_words(bencher: Bencher, words: usize) {
    let article = article(body(words));
    let theme = Theme::named(ThemeName::Dark);
    let length = article.articleBody.len();
    let marks: Vec<FieldMark> = (0..20)
        .map(|n| n * length / 20)
        .map(|at| FieldMark { field: "articleBody", range: at..at + 60, role: TextRole::Concern })
        .collect();
    bencher.bench(|| Rendered::new(divan::black_box(&article), 80, &theme, &marks));
}

/// A writer's answer of 32 kB, of which a little more is there.
#[divan::bench]
fn answer_of_32_kb_while_it_arrives(bencher: Bencher) {
    let answer = serde_json::to_string(&article(body(7_000))).unwrap();
    let mut whole = Streaming::new(Step::Draft);
    whole.push(&answer.chars().take(32_000).collect::<String>());
    bencher.with_inputs(|| whole.clone()).bench_refs(|streaming| {
        streaming.push("a");
        streaming.shown().clone()
    });
}

#[divan::bench]
fn highlight_json_of_32_kb(bencher: Bencher) {
    let answer = serde_json::to_string(&article(body(7_000))).unwrap();
    bencher.bench(|| {
        let (text, kind) = highlight::pretty(divan::black_box(&answer));
        highlight::highlight(&text, kind).len()
    });
}

#[divan::bench(sample_count = 20)]
fn highlight_a_prompt_of_100_kb(bencher: Bencher) {
    let prompt = prose(100_000);
    bencher.bench(|| highlight::highlight(divan::black_box(&prompt), highlight::SyntaxKind::Markdown).len());
}

#[divan::bench]
fn excerpt_that_was_changed_in_1000_words(bencher: Bencher) {
    let article = article(body(1_000));
    let words: Vec<&str> = article.articleBody.split_whitespace().skip(700).take(12).collect();
    let excerpt = format!("{} purple {}", words[..4].join(" "), words[4..].join(" "));
    let plain = || excerpts::PlainDraft::of(&article);
    bencher.bench(|| excerpts::find_excerpt(&article, divan::black_box(&excerpt), plain).expect("it is there"));
}

#[divan::bench]
fn passage_in_1_mb(bencher: Bencher) {
    let journal = journal(prose(MEGABYTE));
    let witnesses = Witnesses::new(&journal);
    bencher.bench(|| witnesses.passage_for(divan::black_box(&journal), 1, 1).expect("one bears on it"));
}

#[divan::bench(sample_count = 5)]
fn witnesses_of_1_mb(bencher: Bencher) {
    let journal = journal(prose(MEGABYTE));
    bencher.bench(|| Witnesses::new(divan::black_box(&journal)));
}

#[divan::bench]
fn html_of_1000_words(bencher: Bencher) {
    let journal = journal(prose(1_000));
    let (article, imprint) = (article(body(1_000)), export::Imprint::of(&journal));
    bencher.bench(|| export::to_html(divan::black_box(&article), &imprint));
}

/// A run of ten drafts, two hundred concerns about each: what the Article page, the Changes page and the Concerns page read it for.
fn ten_drafts(bytes: usize) -> Journal {
    const CONCERNS: usize = 200;
    let mut journal = journal(prose(1_000));
    let opening = journal.opening.clone();
    journal = Journal::new(opening);
    let mut add = |step, outcome| {
        journal.push(Entry {
            step,
            outcome,
            at: "2026-10-06T12:00:01.000Z".into(),
            usage: Usage::default(),
            shown: None,
        });
    };
    let text = prose(bytes);
    let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    while words.iter().map(|word| word.len() + 1).sum::<usize>() > bytes {
        words.truncate(words.len() - 50);
    }
    let apart = words.len() / CONCERNS;
    for round in 1..=10_u32 {
        let body = words.chunks(60).map(|paragraph| paragraph.join(" ")).collect::<Vec<_>>().join("\n\n");
        let draft = Draft { article: article(body), stripped: vec![], undone: vec![] };
        add(if round == 1 { Step::Draft } else { Step::Revise { round: round - 1 } }, Outcome::Draft(draft));
        let mut concerns = Vec::new();
        let mut verdicts = Vec::new();
        for (place, concern_id) in (0..CONCERNS).zip(1..) {
            let at = place * apart;
            let excerpt = words[at..at + 8].join(" ");
            concerns.push(Concern {
                concern_id,
                review_note: format!("“{excerpt}”: the source does not say so."),
                excerpt,
            });
            verdicts.push(Verdict {
                concern_id,
                misleading: true,
                status: Status::Rewrite,
                rationale: "The source does not say so.".into(),
                suggested_fix: Some(format!("Say “matter {round} of {place}” there.")),
                evidence: None,
                citations: None,
            });
            // Half of what is asked for is done; elsewhere something is changed that nobody asked for.
            if place % 2 == 0 {
                words[at + 3] = format!("matter {round} of {place}");
            } else {
                words[at + 12] = format!("drift{round}");
            }
        }
        add(Step::Parse { round }, Outcome::Concerns(ArticleReviewResult { concerns }));
        let feedback = gate::compile(round, &verdicts);
        for verdict in verdicts {
            add(Step::Judge { round, concern: verdict.concern_id }, Outcome::Verdict(verdict));
        }
        add(Step::Feedback { round }, Outcome::Feedback(feedback));
    }
    journal
}

/// Every draft compared with the one before, once a story: before its article is signed.
#[divan::bench(args = [5_000, 20_000, 100_000], sample_count = 3)]
fn signing_of_ten_drafts_of_bytes(bencher: Bencher, bytes: usize) {
    let journal = ten_drafts(bytes);
    bencher.bench(|| {
        let mut comparisons = Comparisons::default();
        for pair in signing::pairs(divan::black_box(&journal)) {
            comparisons.add(pair, changes::between(&journal, pair.0, pair.1).map(Arc::new));
        }
        Signing::default().read(&journal, &comparisons, SigningBeside::default())
    });
}

/// The last two drafts compared: once a pair.
#[divan::bench(args = [5_000, 20_000, 100_000], sample_count = 3)]
fn comparison_of_two_drafts_of_bytes(bencher: Bencher, bytes: usize) {
    let journal = ten_drafts(bytes);
    bencher.bench(|| changes::between(divan::black_box(&journal), 9, 10));
}

/// Where two hundred excerpts stand: once a round.
#[divan::bench(args = [5_000, 20_000, 100_000], sample_count = 3)]
fn places_in_a_draft_of_bytes(bencher: Bencher, bytes: usize) {
    let journal = ten_drafts(bytes);
    bencher.bench(|| panes::places(divan::black_box(&journal), 10));
}

/// A run with one draft and one concern about it.
fn journal(source_text: String) -> Journal {
    let name = |text: &str| PathName::new(text).expect("a name");
    let mut journal = Journal::new(Opening {
        run_id: "20261006T120000Z_0123abcd".into(),
        opened_at: "2026-10-06T12:00:00.000Z".into(),
        artifacts_dir: "runs".into(),
        pins: "pins".into(),
        ..Opening::of(
            Topic {
                source_text,
                source_metadata: SourceMetadata {
                    source_file: "park.json".into(),
                    channel_name: name("desk"),
                    video_id: "m1".into(),
                    video_title: "Minutes".into(),
                    publish_date: None,
                    topic_slug: name("park"),
                    topic_title: "The park".into(),
                },
                style_mode: "SCIAM_MAGAZINE".into(),
                target_length_words: "900-1200".into(),
                optional_angle: None,
            },
            3,
        )
    });
    let excerpt = "The council voted to spend 2.48 million dollars on the park and its pond by April".to_owned();
    let concern = Concern { concern_id: 1, review_note: format!("“{excerpt}” is too much."), excerpt };
    let draft = Draft { article: article(body(1_000)), stripped: vec![], undone: vec![] };
    for (step, outcome) in [
        (Step::Draft, Outcome::Draft(draft)),
        (Step::Parse { round: 1 }, Outcome::Concerns(ArticleReviewResult { concerns: vec![concern] })),
    ] {
        journal.push(Entry {
            step,
            outcome,
            at: "2026-10-06T12:00:01.000Z".into(),
            usage: Usage::default(),
            shown: None,
        });
    }
    journal
}
