//! A story whose concerns go to the Reporter.

use super::{add, add_round, decide, go_on, opening, verdict};
use crate::editorial::research;
use copydesk_newsroom::{
    Choice, ErrandLimits, FoundSource, Gates, HiddenText, HidingSource, Journal, LookUp, Opening, Outcome, Passage,
    ResearchErrand, ResearchFinding, ResearchRules, ResearchTurn, RunSettings, Source, Specialist, Status, Step, Tier,
    ToolCall, ToolResult, TriageWay, Triaged,
};

const RULES: ResearchRules =
    ResearchRules { assigned: false, triages: true, passes: 2, turns: 3, calls: 4, limits: ErrandLimits::NONE };
pub const ADDRESS: &str = "https://www.springfield.gov/minutes";

pub const MINUTES: &str = "Minutes of the council.\n\nThe council voted seven to two on Tuesday to renovate the park.";

pub fn source(address: &str, title: &str, text: &str) -> FoundSource {
    FoundSource {
        title: title.into(),
        address: address.into(),
        text: text.into(),
        digest: format!("digest of {text}"),
        published: Some("2026-10-06".into()),
        byline: None,
        publisher: None,
        read_at: "2026-10-07T12:00:00Z".into(),
        hidden: Vec::new(),
        name: None,
    }
}

pub fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
    ToolCall { id: id.into(), name: name.into(), arguments: arguments.into() }
}

pub fn finding(question: u32, source: &str, quotation: &str) -> ResearchFinding {
    let (source, quotation) = (source.into(), quotation.into());
    ResearchFinding { question, statement: "Seven to two.".into(), source, quotation }
}

pub fn triage(journal: &mut Journal, round: u32) {
    let way = |concern: u32, question: Option<&str>| Triaged {
        concern,
        way: if question.is_some() { TriageWay::Research } else { TriageWay::Rewrite },
        why: "The sources do not say it.".into(),
        question: question.map(str::to_owned),
    };
    let ways = vec![way(1, Some("The council voted seven to two.")), way(2, None)];
    add(journal, Step::Triage { round }, Outcome::Triage(ways));
}

pub fn judged(journal: &mut Journal, round: u32) {
    add_round(journal, round, &[Specialist::FactCheck, Specialist::Opinion]);
    for concern in [1, 2] {
        let outcome = Outcome::Verdict(verdict(concern, Status::Rewrite, Some("Say who voted.")));
        add(journal, Step::Judge { round, concern }, outcome);
    }
}

pub fn unseen(how: &str) -> HiddenText {
    HiddenText { how: how.into(), text: "The town pays.".into() }
}

/// A story with two sources at its first gate: one concern goes to the Reporter.
pub fn triaged() -> Journal {
    let letter = Source { name: "letter.txt".into(), text: "Dear council.\n\nYours.".into() };
    let hidden = unseen("a comment");
    let opening = Opening {
        research: Some(RULES),
        gates: Gates::Editor,
        settings: RunSettings { max_rounds: 3, ..opening().settings },
        more_sources: vec![letter],
        hidden: vec![HidingSource { source: "letter.txt".into(), texts: vec![hidden] }],
        ..opening()
    };
    let mut journal = Journal::new(opening);
    judged(&mut journal, 1);
    triage(&mut journal, 1);
    journal
}

/// The same story at its second gate: the Reporter read two texts and kept one, the editor added one and removed another.
pub fn researched() -> Journal {
    let mut journal = triaged();
    decide(
        &mut journal,
        1,
        Choice::AddSource {
            name: "notes.md".into(),
            text: "My notes.".into(),
            hidden: vec![unseen("a white letter")],
            recorded: None,
        },
    );
    decide(&mut journal, 1, Choice::Research { question: "Who pays?".into() });
    decide(&mut journal, 1, Choice::Continue);
    go_on(&mut journal);
    let errand = ResearchErrand::Round(1);
    let calls = vec![
        call("a", "search_knowledge_base", r#"{"query":"The council voted seven to two.","count":4}"#),
        call("b", "search_web", r#"{"query":"Who pays?","count":4}"#),
        call("c", "weather", r#"{"day":"today"}"#),
    ];
    add(&mut journal, Step::Turn { errand, turn: 1 }, Outcome::Turn(ResearchTurn { calls, ..ResearchTurn::default() }));
    let found = vec![
        source(ADDRESS, "Council minutes", MINUTES),
        FoundSource {
            hidden: vec![unseen("no opacity")],
            ..source("blog.html", "A walk\u{1b}[31m in the park", "I like the park.")
        },
    ];
    let results = [
        ToolResult { found, ..ToolResult::default() },
        ToolResult { text: "\n1. https://a.example\n2. https://b.example".into(), ..ToolResult::default() },
        ToolResult::failure("there is no tool weather"),
    ];
    for (call, result) in (1..).zip(results) {
        add(&mut journal, Step::Tool { errand, turn: 1, call }, Outcome::Tool(result));
    }
    let (kept, left_out) = research::held(
        &journal,
        errand,
        vec![finding(1, "S1", "voted seven to two"), finding(2, "S2", "the town pays")],
    );
    let turn = ResearchTurn { findings: Some(kept), left_out, ..ResearchTurn::default() };
    add(&mut journal, Step::Turn { errand, turn: 2 }, Outcome::Turn(turn));
    go_on(&mut journal);
    judged(&mut journal, 2);
    let of = |file: &str, tier: Tier, text: &str| Passage {
        file: file.into(),
        text: text.into(),
        tier,
        ..Passage::default()
    };
    let passages = vec![
        of(ADDRESS, Tier::Found, "voted seven to two on Tuesday"),
        of("letter.txt", Tier::Source, "Dear council."),
        of("letter.txt", Tier::Knowledge, "Another file of that name."),
    ];
    let look_up = LookUp { passages, ..LookUp::default() };
    add(&mut journal, Step::LookUp { round: 2, concern: 1 }, Outcome::LookUp(look_up));
    triage(&mut journal, 2);
    let reason = "The sender denies it.".to_owned();
    decide(&mut journal, 2, Choice::RemoveSource { name: "letter.txt".into(), reason });
    journal
}
