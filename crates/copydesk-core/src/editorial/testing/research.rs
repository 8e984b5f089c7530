//! A story that began with a question.

use super::{add, opening};
use crate::editorial::{
    credibility::{Agreement, credibility},
    dossier::dossier,
    research::held,
};
use copydesk_newsroom::{
    ErrandLimits, FoundSource, Journal, Opening, Outcome, ResearchErrand, ResearchFinding, ResearchRules, ResearchTurn,
    SourceJudgement, Step, ToolCall, ToolResult,
};

const RULES: ResearchRules =
    ResearchRules { assigned: true, triages: true, passes: 2, turns: 3, calls: 4, limits: ErrandLimits::NONE };
pub const MINUTES: &str = "Minutes.\n\nThe council voted seven to two\non Tuesday to close the pool. It cost $400,000 a year.\n\nThey went home.";

pub fn assigned() -> Journal {
    let mut opening = Opening { research: Some(RULES), ..opening() };
    opening.topic.source_text = "Write about the pool.".into();
    Journal::new(opening)
}

pub fn found(address: &str, text: &str) -> FoundSource {
    FoundSource {
        title: format!("Title of {address}"),
        address: address.into(),
        text: text.into(),
        digest: format!("digest of {text}"),
        published: None,
        byline: None,
        publisher: None,
        read_at: "2026-10-06T12:00:00Z".into(),
        hidden: Vec::new(),
        name: None,
    }
}

pub fn call(id: &str) -> ToolCall {
    ToolCall { id: id.into(), name: "fetch_content".into(), arguments: "{}".into() }
}

pub fn finding(question: u32, source: &str, quotation: &str) -> ResearchFinding {
    let (source, quotation) = (source.into(), quotation.into());
    ResearchFinding { question, statement: "It voted.".into(), source, quotation }
}

/// A pass in which two calls read the same text and another one.
pub fn first_pass(journal: &mut Journal) {
    let errand = ResearchErrand::Pass(1);
    add(journal, Step::Plan, Outcome::Questions(vec!["Who voted?".into(), "What does it cost?".into()]));
    let turn = ResearchTurn { calls: vec![call("a"), call("b")], ..ResearchTurn::default() };
    add(journal, Step::Turn { errand, turn: 1 }, Outcome::Turn(turn));
    let result = |sources: Vec<FoundSource>| Outcome::Tool(ToolResult { found: sources, ..ToolResult::default() });
    // The second call comes back first.
    let both = vec![found("https://b.example", "Other."), found("https://c.example", MINUTES)];
    add(journal, Step::Tool { errand, turn: 1, call: 2 }, result(both));
    add(journal, Step::Tool { errand, turn: 1, call: 1 }, result(vec![found("https://a.example", MINUTES)]));
    let (kept, left_out) = held(
        journal,
        errand,
        vec![
            finding(1, "S1", "voted seven to two on Tuesday"),
            finding(1, "S2", "voted seven to two"),
            finding(3, "S1", "Minutes."),
            finding(2, "S9", "x"),
        ],
    );
    assert_eq!((kept.len(), left_out.len()), (1, 3), "{left_out:?}");
    let turn = ResearchTurn { findings: Some(kept), left_out, ..ResearchTurn::default() };
    add(journal, Step::Turn { errand, turn: 2 }, Outcome::Turn(turn));
}

/// Plans a story, reads these pages, judges them by rules and makes its dossier of them.
pub fn rest_on(journal: &mut Journal, pages: &[FoundSource]) {
    let errand = ResearchErrand::Pass(1);
    add(journal, Step::Plan, Outcome::Questions(vec!["Who?".into()]));
    let turn = ResearchTurn { calls: vec![call("a")], ..ResearchTurn::default() };
    add(journal, Step::Turn { errand, turn: 1 }, Outcome::Turn(turn));
    let result = ToolResult { found: pages.to_vec(), ..ToolResult::default() };
    add(journal, Step::Tool { errand, turn: 1, call: 1 }, Outcome::Tool(result));
    let ids = || (1..).map(|number: u32| format!("S{number}")).zip(pages);
    let judged = ids().map(|(source, page)| SourceJudgement {
        source,
        rules: credibility(page, Agreement::default()),
        view: None,
    });
    let findings = ids().map(|(source, page)| finding(1, &source, &page.text)).collect();
    let turn = ResearchTurn { findings: Some(findings), judged: judged.collect(), ..ResearchTurn::default() };
    add(journal, Step::Turn { errand, turn: 2 }, Outcome::Turn(turn));
    let made = dossier(journal).unwrap();
    add(journal, Step::Dossier, Outcome::Dossier(made));
}
