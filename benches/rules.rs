//! What the rules cost, each alone: text in, concerns out, with no database and no model.
//!
//!     cargo bench --bench rules

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a bench stops where its own scaffolding breaks"
)]

mod sized;

use std::path::Path;

use copydesk::{
    editorial::{bullets, changes, flags, footnotes, gate, next_steps::next_steps, report},
    newsroom::{
        ArticleResponse, ArticleReviewRaw, Concern, ConcernMapping, ConcernMappingResult, ConcernType, Confidence,
        Draft, Entry, FactCheckRecord, GateOutcome, Journal, LookUp, MemoryRecord, Opening, Outcome, PathName,
        Publication, Review, Source, SourceMetadata, Specialist, Status, Step, Topic, Usage, Verdict,
    },
    proof,
    style::{self, Dictionary, Readability, Style},
    text::{sanitise, sentences, spelling::HouseSpelling, words},
};
use divan::{Bencher, counter::BytesCount};
use serde_json::Value;
use sized::sized;

fn main() {
    divan::main();
}

const MEGABYTE: usize = 1 << 20;

/// The texts of the topics that the repository ships, in the order of their files.
fn topics() -> Vec<Source> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/topics");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
        .iter()
        .map(|file| {
            let topic: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
            Source { name: file.display().to_string(), text: topic["source_text"].as_str().unwrap().to_owned() }
        })
        .collect()
}

/// `length` bytes and a little more of the topics' texts, one after the other.
fn prose(length: usize) -> String {
    let length = sized(length, length.min(100_000));
    let texts: Vec<String> = topics().into_iter().map(|source| source.text).collect();
    let mut text = String::new();
    for next in texts.iter().cycle() {
        text.push_str(next);
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

#[divan::bench]
fn bullets_200(bencher: Bencher) {
    let raw = ArticleReviewRaw { markdown_bullets: bullets_of(200) };
    bencher
        .counter(BytesCount::of_str(&raw.markdown_bullets))
        .bench(|| bullets::parse(divan::black_box(&raw)).expect("bullets"));
}

/// 1,200 words, twelve footnotes, half of them without a verdict that carries them, and as many addresses.
#[divan::bench]
fn footnotes_1200_words(bencher: Bencher) {
    let mut text = body(1200);
    for (number, paragraph) in (1..=12).zip([90; 12]) {
        let place = text.char_indices().nth(number * paragraph * 5).map_or(text.len(), |(byte, _)| byte);
        text.insert_str(place, &format!("[^{number}] see https://example.org/{number}/page "));
    }
    text.push_str("\n\n## Footnotes\n");
    text.extend((1..=12).map(|number| format!("\n[^{number}]: A study, 2026, https://example.org/study/{number}")));
    let citations = (1..=6).map(|number| format!("https://example.org/study/{number}")).collect();
    let sources = topics();
    let allowed = footnotes::Allowed::new(citations, sources.iter().map(|source| source.text.as_str()));
    let article = article(text);
    bencher
        .counter(BytesCount::of_str(&article.articleBody))
        .bench(|| footnotes::check(divan::black_box(&article), &allowed));
}

/// A finished run of so many rounds of twenty concerns, less its last entry: what each step asks before it starts.
#[divan::bench(args = [2, 10])]
fn next_steps_of_rounds(bencher: Bencher, rounds: u32) {
    let whole = journal(rounds, 20);
    let mut journal = Journal::new(whole.opening.clone());
    for entry in whole.entries().iter().take(whole.entries().len() - 1) {
        journal.push(entry.clone());
    }
    bencher.bench(|| next_steps(divan::black_box(&journal)));
}

#[divan::bench(args = [2, 10])]
fn editor_report_of_rounds(bencher: Bencher, rounds: u32) {
    let journal = journal(rounds, 20);
    bencher.bench(|| report::editor_report(divan::black_box(&journal)));
}

#[divan::bench(args = [2, 10])]
fn result_of_rounds(bencher: Bencher, rounds: u32) {
    let journal = journal(rounds, 20);
    let publication = journal.publication().expect("it is over").clone();
    bencher.bench(|| report::result(divan::black_box(&journal), &publication));
}

#[divan::bench]
fn sanitise_clean_text_1_mb(bencher: Bencher) {
    let text = prose(MEGABYTE);
    bencher.counter(BytesCount::of_str(&text)).bench(|| sanitise::clean(divan::black_box(&text)).len());
}

/// With a terminal sequence, a control character, a Windows line end and a letter that is two characters in each
/// paragraph.
#[divan::bench]
fn sanitise_hostile_text_1_mb(bencher: Bencher) {
    let text = prose(MEGABYTE).replace("\n\n", "\r\n\u{1b}[31mcafe\u{301}\u{7}\u{202e}\r\n");
    bencher.counter(BytesCount::of_str(&text)).bench(|| sanitise::clean(divan::black_box(&text)).len());
}

#[divan::bench]
fn sentences_1_mb(bencher: Bencher) {
    let text = prose(MEGABYTE);
    bencher.counter(BytesCount::of_str(&text)).bench(|| sentences::sentences(divan::black_box(&text)).len());
}

#[divan::bench]
fn words_1_mb(bencher: Bencher) {
    let text = prose(MEGABYTE);
    bencher.counter(BytesCount::of_str(&text)).bench(|| words::words(divan::black_box(&text)).len());
}

/// A draft of 1,000 words against its sources; the work is near-linear in the sources' length, so 500 kB should take
/// about ten times as long.
#[divan::bench(args = [50_000, 500_000, 5_000_000], sample_count = 20)]
fn proof_1000_words_against(bencher: Bencher, bytes: usize) {
    let sources = vec![Source { name: "sources.txt".into(), text: prose(bytes) }];
    // Most of it stands in the sources, the figures do not.
    let article = article(body(1000).replace('7', "8"));
    bencher
        .counter(BytesCount::of_str(&sources[0].text))
        .bench(|| proof::check(divan::black_box(&article), divan::black_box(&sources)).len());
}

/// The whole ledger, with what stands in order.
#[divan::bench(args = [50_000, 500_000, 5_000_000], sample_count = 20)]
fn ledger_1000_words_against(bencher: Bencher, bytes: usize) {
    let sources = vec![Source { name: "sources.txt".into(), text: prose(bytes) }];
    let article = article(body(1000).replace('7', "8"));
    bencher.counter(BytesCount::of_str(&sources[0].text)).bench(|| {
        proof::ledger(divan::black_box(&article), divan::black_box(&sources), proof::Gravity::Concern).rows.len()
    });
}

/// A megabyte in one line, and a draft of ten thousand numbers: both take a bounded time.
#[divan::bench(sample_count = 5)]
fn ledger_of_ten_thousand_numbers(bencher: Bencher) {
    let numbers: Vec<String> = (0..sized(10_000, 200)).map(|number| format!("{}", number * 7 + 13)).collect();
    let article = article(numbers.join(" "));
    let sources = vec![Source { name: "sources.txt".into(), text: prose(MEGABYTE).replace('\n', " ") }];
    bencher.bench(|| proof::check(divan::black_box(&article), divan::black_box(&sources)).len());
}

/// Ten sources as the repository ships them, 64 kB in all.
#[divan::bench(sample_count = 20)]
fn proof_1000_words_against_ten_sources(bencher: Bencher) {
    let sources = topics();
    let article = article(body(1000).replace('7', "8"));
    bencher.bench(|| proof::check(divan::black_box(&article), divan::black_box(&sources)).len());
}

/// One sentence of a draft of 3,000 words is changed, and its sources were read before. The draft has paragraphs of 60 words, and is cut out of
/// the same texts as the sources.
#[divan::bench(args = [50_000, 500_000, 5_000_000], sample_count = 50)]
fn a_sentence_typed_into_3000_words_against(bencher: Bencher, bytes: usize) {
    let sources = vec![Source { name: "sources.txt".into(), text: prose(bytes) }];
    let read = proof::ReadSources::new(&sources);
    let draft = article(body(3000).replace('7', "8"));
    let mut typed = proof::TypedProof::default();
    read.typed(&mut typed, &draft);
    read.go_on(&mut typed, 4_000, || false);
    let middle = draft.articleBody.len() / 2;
    let place = draft.articleBody.match_indices(". ").map(|(at, _)| at + 2).find(|at| *at > middle).unwrap();
    let mut number = 1_000;
    bencher.bench_local(|| {
        number += 1;
        let mut draft = draft.clone();
        draft.articleBody.insert_str(place, &format!("The council spends ${number} on the park. "));
        read.typed(&mut typed, divan::black_box(&draft));
        typed.findings().len()
    });
}

/// The rest of that draft, which is proved when nobody types.
#[divan::bench(args = [50_000, 500_000], sample_count = 10)]
fn the_rest_of_3000_words_against(bencher: Bencher, bytes: usize) {
    let sources = vec![Source { name: "sources.txt".into(), text: prose(bytes) }];
    let draft = article(body(3000).replace('7', "8"));
    let read = proof::ReadSources::new(&sources);
    bencher.bench_local(|| {
        let mut typed = proof::TypedProof::default();
        read.typed(&mut typed, divan::black_box(&draft));
        read.go_on(&mut typed, 1_500, || false);
        typed.findings().len()
    });
}

fn bullets_of(count: u32) -> String {
    let kinds = ConcernType::ALL;
    (0..count)
        .map(|number| {
            let kind = kinds[number as usize % kinds.len()].name();
            format!("- “Work will begin in April of year {number}” {kind}: the source gives no month for it.\n  It says “in due course”.")
        })
        .collect::<Vec<_>>()
        .join("\n")
}

fn opening(max_rounds: u32) -> Opening {
    let name = |text: &str| PathName::new(text).expect("a name");
    Opening {
        run_id: "20261006T120000Z_0123abcd".into(),
        opened_at: "2026-10-06T12:00:00.000Z".into(),
        artifacts_dir: "data/output/article_editor_runs/desk/park/20261006T120000Z_0123abcd".into(),
        pins: "pins".into(),
        ..Opening::of(
            Topic {
                source_text: topics().swap_remove(0).text,
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
            max_rounds,
        )
    }
}

fn verdict(concern_id: u32) -> Verdict {
    Verdict {
        concern_id,
        misleading: true,
        status: Status::Rewrite,
        rationale: "The source gives no month.".into(),
        suggested_fix: Some("Say that the month is not decided.".into()),
        evidence: None,
        citations: None,
    }
}

/// A run that used up its rounds, each with so many concerns, all upheld.
fn journal(rounds: u32, concerns: u32) -> Journal {
    let mut journal = Journal::new(opening(rounds));
    let text = body(1000);
    for round in 1..=rounds {
        let step = if round == 1 { Step::Draft } else { Step::Revise { round: round - 1 } };
        add(
            &mut journal,
            step,
            Outcome::Draft(Draft { article: article(text.clone()), stripped: vec![], undone: vec![] }),
        );
        let raw = ArticleReviewRaw { markdown_bullets: bullets_of(concerns) };
        let parsed = bullets::parse(&raw).expect("bullets");
        let mappings = parsed.concerns.iter().map(mapping).collect();
        add(&mut journal, Step::Review { round }, Outcome::Review(Review::new(raw, vec![])));
        add(&mut journal, Step::Parse { round }, Outcome::Concerns(parsed));
        add(&mut journal, Step::Map { round }, Outcome::Mapping(ConcernMappingResult { mappings }));
        for concern in 1..=concerns {
            if specialist(concern) == Specialist::FactCheck {
                add(&mut journal, Step::LookUp { round, concern }, Outcome::LookUp(look_up()));
            }
            add(&mut journal, Step::Judge { round, concern }, Outcome::Verdict(verdict(concern)));
        }
        let verdicts = journal.verdicts(round);
        let gate = gate::decide(round, rounds, &verdicts);
        add(&mut journal, Step::Gate { round }, Outcome::Gate(gate));
        if gate == GateOutcome::Revise {
            add(&mut journal, Step::Feedback { round }, Outcome::Feedback(gate::compile(round, &verdicts)));
        }
    }
    let publication = Publication {
        generated_at: "2026-10-06T12:00:09.000Z".into(),
        success: false,
        flags: flags::raised(&journal, copydesk::proof::living),
    };
    add(&mut journal, Step::Publish, Outcome::Publication(publication));
    journal
}

fn add(journal: &mut Journal, step: Step, outcome: Outcome) {
    let usage = Usage { prompt_tokens: Some(4000), completion_tokens: Some(300), ..Usage::default() };
    journal.push(Entry { step, outcome, at: "2026-10-06T12:00:01.000Z".into(), usage, shown: None });
}

fn specialist(concern: u32) -> Specialist {
    Specialist::ALL[concern as usize % Specialist::ALL.len()]
}

fn mapping(concern: &Concern) -> ConcernMapping {
    ConcernMapping {
        concern_id: concern.concern_id,
        concern_type: ConcernType::UnsupportedFact,
        selected_agent: specialist(concern.concern_id),
        confidence: Confidence::High,
        reason: "Best fit.".into(),
    }
}

fn look_up() -> LookUp {
    let record = FactCheckRecord {
        timestamp: "2026-10-06T12:00:01.000Z".into(),
        article_id: "desk/park".into(),
        concern_id: 1,
        prompt: String::new(),
        query: "Work will begin in April".into(),
        normalized_query: "work will begin in april".into(),
        model_name: "model".into(),
        kb_index_version: "0123456789abcdef".into(),
        cache_key_hash: "0123456789abcdef".into(),
        kb_response: String::new(),
        verdict: verdict(1),
    };
    LookUp {
        query: record.query.clone(),
        normalized_query: record.normalized_query.clone(),
        model_name: record.model_name.clone(),
        kb_index_version: Some(record.kb_index_version.clone()),
        cache_key_hash: record.cache_key_hash.clone(),
        remembered: Some(MemoryRecord::FactCheck(record)),
        passages: Vec::new(),
        ..LookUp::default()
    }
}

/// Reading the desk's own style: what a check pays before it looks at anything.
#[divan::bench]
fn read_the_houses_style(bencher: Bencher) {
    bencher.bench(|| Style::of_the_house().unwrap());
}

/// House style of a draft of 1,000 words, without and with grammar and spelling.
#[divan::bench(args = [false, true])]
fn house_style_1000_words(bencher: Bencher, grammar: bool) {
    let (article, sources, style) = (article(body(1_000)), topics(), Style::of_the_house().unwrap());
    // The dictionary is loaded with the first draft of a process.
    let spelling = grammar.then_some(HouseSpelling::Either);
    let review = || {
        let dictionary = Dictionary::new(divan::black_box(&article), &sources);
        style::StyleReview::new(&article, &dictionary, &style, spelling)
    };
    divan::black_box(review());
    bencher.bench(review);
}

#[divan::bench]
fn style_rules_alone_1000_words(bencher: Bencher) {
    let (article, style) = (article(body(1_000)), Style::of_the_house().unwrap());
    bencher.bench(|| style.judge(divan::black_box(&article), &Dictionary::default()));
}

#[divan::bench]
fn readability_1000_words(bencher: Bencher) {
    let article = article(body(1_000));
    bencher.bench(|| Readability::of(divan::black_box(&article)));
}

/// How the second of two drafts of 10,000 words differs from the first.
#[derive(Debug, Clone, Copy)]
enum Revision {
    /// Forty corrections, two hundred to-dos.
    Corrected,
    /// Every third word another.
    Rewritten,
    /// Every third word another, and no paragraphs at all.
    RewrittenInOneParagraph,
    /// Nothing in common.
    Replaced,
}

#[divan::bench(args = [
    Revision::Corrected, Revision::Rewritten, Revision::RewrittenInOneParagraph, Revision::Replaced
])]
fn compare_two_drafts(bencher: Bencher, revision: Revision) {
    let text: Vec<String> = prose(70_000).split(' ').take(10_000).map(str::to_owned).collect();
    let altered = |index: usize, word: &String| match revision {
        Revision::Corrected if index % 250 == 17 => "corrected".to_owned(),
        Revision::Rewritten | Revision::RewrittenInOneParagraph if index % 3 == 1 => format!("other{}", index % 997),
        Revision::Replaced => format!("{word}x"),
        _ => word.clone(),
    };
    let new: Vec<String> = text.iter().enumerate().map(|(index, word)| altered(index, word)).collect();
    let article = |words: &[String]| {
        let body = words.join(" ");
        let body = if matches!(revision, Revision::RewrittenInOneParagraph) { body.replace("\n\n", " ") } else { body };
        ArticleResponse {
            headline: "Council votes".into(),
            alternativeHeadline: "Seven to two".into(),
            description: "A vote.".into(),
            articleBody: body,
        }
    };
    let asked: Vec<changes::AskedFor> = (0..200)
        .map(|index| changes::AskedFor {
            label: format!("concern {index}, REWRITE"),
            mark: index.to_string(),
            concern: None,
            excerpt: Some(text[index * 45..index * 45 + 8].join(" ")),
            to_do: format!("Replace “{}” with “corrected”.", text[index * 45 + 3]),
            removes: false,
        })
        .collect();
    let (old, new) = (article(&text), article(&new));
    bencher.bench(|| changes::compare(&old, &new, &asked));
}
