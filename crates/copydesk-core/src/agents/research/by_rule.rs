//! Research by rule, without a model. It searches for each question with the tools at hand, opens the pages that the searches name, and
//! quotes the sentences that have most of a question's words.

use linkify::{LinkFinder, LinkKind, Span};
use serde_json::json;

use super::{
    asked::{MOST_QUESTIONS, is_last, open_verdicts},
    turn::judged,
};
use crate::{
    agents::mapping::specialist_of,
    editorial::{
        by_hand, decisions, errand_limits,
        research::{question_of, questions},
    },
};
use copydesk_newsroom::{
    ConcernType, Covered, Journal, QuestionCoverage, ResearchErrand, ResearchFinding, ResearchTurn, Specialist, Tool,
    ToolCall, TriageWay, Triaged,
};
use copydesk_text::{
    overlap::{Sentences, Stems},
    sanitise,
    sentences::sentences,
};

/// Most pages that are opened after a search.
const MOST_OPENED: usize = 4;

/// Most passages that one search is to bring.
const MOST_FOUND: u32 = 4;

/// Most quotations for one question.
const MOST_QUOTED: usize = 3;

/// The least share of a question's words that a quotation has, and how many that must be.
const LEAST_SHARE: f64 = 0.4;
const LEAST_SHARED: usize = 2;

/// The questions of an assignment: its sentences, without those that name pages and have at most two other words.
pub fn plan(assignment: &str) -> Vec<String> {
    let own = sentences(assignment).into_iter().filter_map(|range| assignment.get(range));
    let mut questions: Vec<String> = own
        .map(|sentence| sanitise::excerpt(&sanitise::one_line(sentence), 400))
        .filter(|line| !line.is_empty())
        .collect();
    if questions.iter().any(|line| !only_names_pages(line)) {
        questions.retain(|line| !only_names_pages(line));
    }
    questions.dedup();
    questions.truncate(MOST_QUESTIONS);
    questions
}

/// Whether a sentence has addresses and at most two words beside them.
fn only_names_pages(line: &str) -> bool {
    let spans: Vec<Span<'_>> = LinkFinder::new().kinds(&[LinkKind::Url]).spans(line).collect();
    let (addresses, text): (Vec<&Span<'_>>, Vec<&Span<'_>>) = spans.iter().partition(|span| span.kind().is_some());
    let words: usize = text.iter().map(|span| span.as_str().split_whitespace().count()).sum();
    !addresses.is_empty() && words <= 2
}

/// Returns a turn: first the searches, then the opening of the pages that they name, then the findings.
pub(super) fn turn(journal: &Journal, errand: ResearchErrand, number: u32, tools: &[Tool]) -> ResearchTurn {
    let asked = questions(journal, errand);
    let last = journal.opening.research.is_none() || errand_limits::end(journal, errand, number).is_some();
    let most = journal.opening.research.map_or(0, |rules| usize::try_from(rules.calls).unwrap_or(usize::MAX));
    let has = |name: &str| tools.iter().any(|tool| tool.name == name);
    let mut calls: Vec<(&str, serde_json::Value)> = Vec::new();
    match number {
        _ if last => {}
        1 => {
            if has("fetch_content") {
                calls.extend(
                    addresses(&journal.opening.topic.source_text)
                        .into_iter()
                        .map(|url| ("fetch_content", json!({ "url": url }))),
                );
            }
            for question in &asked {
                for search in ["search_knowledge_base", "search_web"].into_iter().filter(|name| has(name)) {
                    calls.push((search, json!({ "query": question, "count": MOST_FOUND })));
                }
            }
        }
        2 if has("fetch_content") => {
            let read = journal.read_sources();
            let results = (1..).map_while(|call| journal.tool(errand, 1, call));
            let named: Vec<String> = results
                .filter(|result| !result.failed && result.found.is_empty())
                .flat_map(|result| addresses(&result.text))
                .collect();
            let new = named.into_iter().filter(|address| !read.iter().any(|read| read.source.address == *address));
            calls.extend(new.take(MOST_OPENED).map(|url| ("fetch_content", json!({ "url": url }))));
        }
        _ => {}
    }
    calls.truncate(most);
    if calls.is_empty() {
        let findings = findings(journal, &asked);
        let judged = judged(journal, &findings);
        return ResearchTurn { findings: Some(findings), judged, ..ResearchTurn::default() };
    }
    let call = |(id, (name, arguments)): (u32, (&str, serde_json::Value))| ToolCall {
        id: format!("call_{id}"),
        name: name.to_owned(),
        arguments: arguments.to_string(),
    };
    ResearchTurn { calls: (1..).zip(calls).map(call).collect(), ..ResearchTurn::default() }
}

/// The web addresses of a text, each once.
fn addresses(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for link in LinkFinder::new().kinds(&[LinkKind::Url]).links(text) {
        let address = link.as_str().to_owned();
        if address.starts_with("http") && !found.contains(&address) {
            found.push(address);
        }
    }
    found
}

/// Returns the sentences of the sources read that have most of each question's words.
fn findings(journal: &Journal, asked: &[String]) -> Vec<ResearchFinding> {
    let read: Vec<_> =
        journal.read_sources().into_iter().map(|read| (read, Sentences::of(&read.source.text))).collect();
    let mut findings = Vec::new();
    for (question, asked) in (1..).zip(asked) {
        let stems = Stems::of(asked);
        let mut near: Vec<_> = read
            .iter()
            .flat_map(|(read, text)| text.nearest(&stems).into_iter().take(MOST_QUOTED).map(move |near| (near, *read)))
            // A heading says nothing by itself.
            .filter(|(near, read)| {
                !read.source.text.get(near.range.clone()).is_some_and(|words| words.trim_start().starts_with('#'))
            })
            .filter(|(near, _)| near.shared >= LEAST_SHARED.min(stems.count()) && near.share >= LEAST_SHARE)
            .collect();
        near.sort_by_key(|(near, _)| std::cmp::Reverse(near.shared));
        findings.extend(near.into_iter().take(MOST_QUOTED).filter_map(|(near, read)| {
            let quotation = read.source.text.get(near.range)?.trim().to_owned();
            Some(ResearchFinding { question, statement: sanitise::one_line(&quotation), source: read.id(), quotation })
        }));
    }
    findings
}

/// A question is answered if a finding is about it. The same questions are asked again only of a model, who may search otherwise.
pub(super) fn coverage(journal: &Journal, pass: u32) -> QuestionCoverage {
    let asked = questions(journal, ResearchErrand::Pass(pass));
    let found =
        journal.findings(ResearchErrand::Pass(pass)).and_then(|turn| turn.findings.as_deref()).unwrap_or_default();
    let covered = |number: u32| match found.iter().filter(|finding| finding.question == number).count() {
        0 => Covered { answered: false, why: "No finding is about it.".to_owned() },
        1 => Covered { answered: true, why: "1 finding is about it.".to_owned() },
        some => Covered { answered: true, why: format!("{some} findings are about it.") },
    };
    let questions: Vec<Covered> = (1..).zip(&asked).map(|(number, _)| covered(number)).collect();
    let searched_otherwise = journal.turn(ResearchErrand::Pass(pass), 1).is_some_and(|turn| !turn.said.is_empty());
    let again = searched_otherwise && !is_last(journal, pass);
    let open = asked.into_iter().zip(&questions).filter(|(_, covered)| again && !covered.answered);
    let requests = open.map(|(question, _)| question).collect();
    QuestionCoverage { questions, requests }
}

/// Sends fact checks and evidence searches on unsupported or inferred facts to research, all else to the writer. Research looks for facts
/// that the sources at hand lack.
pub(super) fn triage(journal: &Journal, round: u32) -> Vec<Triaged> {
    let open = open_verdicts(journal, round);
    let way = |concern: u32| {
        let unsupported = journal.mapping(round).into_iter().flat_map(|mapping| &mapping.mappings).any(|mapping| {
            mapping.concern_id == concern
                && matches!(mapping.concern_type, ConcernType::UnsupportedFact | ConcernType::InferredFact)
        });
        let checks =
            matches!(specialist_of(journal, round, concern), Some(Specialist::FactCheck | Specialist::EvidenceFinding));
        if unsupported && checks { TriageWay::Research } else { TriageWay::Rewrite }
    };
    let triaged = |concern: u32| {
        // In an editor's own text, what was decided of the text before.
        let before = decisions::is_by_hand(journal, round).then(|| by_hand::way(journal, round, concern)).flatten();
        if let Some((way, question)) = before {
            let why = "It was decided of the text before.".to_owned();
            return Triaged { concern, way, why, question };
        }
        let way = way(concern);
        let why = match way {
            TriageWay::Research => "The sources at hand do not carry the statement.",
            TriageWay::Rewrite => "The writer can do it with the sources at hand.",
        };
        self::triaged(journal, round, concern, way, why.to_owned())
    };
    open.into_iter().map(|verdict| triaged(verdict.concern_id)).collect()
}

/// Sends a concern to the Reporter or to the writer. It goes to the writer if no question can be made of it.
pub(super) fn triaged(journal: &Journal, round: u32, concern: u32, way: TriageWay, why: String) -> Triaged {
    let question = (way == TriageWay::Research).then(|| question_of(journal, round, concern)).flatten();
    match question {
        None => Triaged { concern, way: TriageWay::Rewrite, why, question: None },
        question => Triaged { concern, way, why, question },
    }
}
