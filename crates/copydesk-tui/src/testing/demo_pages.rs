//! A story of three drafts for the snapshots of its pages. It has concerns with their verdicts, calls, and an article
//! with everything that can be printed. Some of its changes were asked for, some were not, and some were made by hand.

use std::sync::Arc;

use crate::widgets::page::ScrolledText as _;
use crate::{
    app::model::Model,
    screens::{
        article::signing,
        calls,
        changes::model::Compared,
        concerns::panes,
        story::tabs::{Pane, Tab},
    },
    testing::demo_story::story,
    widgets::diff::state::Layout,
};
use copydesk_core::editorial::{
    changes::between,
    testing::{add, opening},
    testing::{decide, go_on},
};
use copydesk_core::ports::{CallNumbers, CallRow, CallState, CallText, RunKey, Times};
use copydesk_newsroom::*;
use copydesk_proof::{Bearing, Ground};

const MINUTES: &str = "MINUTES OF THE TOWN COUNCIL, 6 OCTOBER 2026\n\nPresent: Mayor Holloway, Councilors Adeyemi, de Vries, Lund, Petrakis and Shah. \
    Councilor Okafor was excused.\n\nThe clerk read the letter of the Friends of Miller Park. The director of parks, Ms Marchand, \
    explained the plan: a playground, paths to the pond of 1.4 miles, and a restroom building. The work is estimated at 1.2 million \
    dollars, of which the state grant covers 0.8 million.\n\nMs Marchand hopes for a start in spring; no month was named. Mr de Vries \
    asked who would mow the lawn. He said that the town had not budgeted for it.\n\nThe plan was approved, four votes to two. Nays: de \
    Vries, Lund.";

const LETTER: &str = "Letter of the Friends of Miller Park to the council\n\nWe have collected 131,500 dollars and have pledges for a \
    further 18,500. The children of the Northside have waited two years for this day.\n\nDenise Pruitt, chair";

const FIRST: &str = "The town council voted four to two on Tuesday to reopen Miller Park in April.\n\n## What it costs\n\nThe work is \
    estimated at 1.2 million dollars, all of it from the state. The Friends of Miller Park have collected 131,500 dollars.\n\n> We do \
    not know who mows the lawn, and nobody at the town hall could tell us.\n\nAll members of the council were present. Dennis Pruitt, \
    who chairs the Friends, called it a great day for every child in this town.[^1]\n\n[^1]: Minutes of the town council, 6 October 2026.";

const EXCERPTS: [(&str, &str, ConcernType, Specialist); 6] = [
    ("in April", "The minutes name no month.", ConcernType::InferredFact, Specialist::FactCheck),
    (
        "all of it from the state",
        "The grant covers 0.8 of 1.2 million.",
        ConcernType::UnsupportedFact,
        Specialist::FactCheck,
    ),
    (
        "We do not know who mows the lawn, and nobody at the town hall could tell us.",
        "Half of this quotation is in no source.",
        ConcernType::UnsupportedFact,
        Specialist::Attribution,
    ),
    (
        "All members of the council were present",
        "Ms Okafor was excused.",
        ConcernType::UnsupportedFact,
        Specialist::FactCheck,
    ),
    ("Dennis Pruitt", "The letter is signed by Denise Pruitt.", ConcernType::UnsupportedFact, Specialist::FactCheck),
    (
        "a great day for every child",
        "Is this the chair's view or ours?",
        ConcernType::UnsupportedFact,
        Specialist::Opinion,
    ),
];

fn draft(headline: &str, body: &str) -> Draft {
    let article = ArticleResponse {
        headline: headline.into(),
        alternativeHeadline: "Four to two for the park".into(),
        articleBody: body.into(),
        description: "The council approved the work. Two members ask who will mow the lawn.".into(),
    };
    Draft { article, stripped: vec![], undone: vec![] }
}

fn review(journal: &mut Journal, round: u32, found: &[(&str, &str, ConcernType, Specialist)]) {
    let bullets =
        found.iter().map(|(excerpt, note, ..)| format!("- “{excerpt}” {note}")).collect::<Vec<_>>().join("\n");
    let raw = ArticleReviewRaw { markdown_bullets: bullets };
    add(journal, Step::Review { round }, Outcome::Review(Review::new(raw, vec![])));
    let concern = |(id, (excerpt, note, ..)): (u32, &(&str, &str, ConcernType, Specialist))| Concern {
        concern_id: id,
        excerpt: (*excerpt).into(),
        review_note: format!("“{excerpt}” {note}"),
    };
    let concerns = (1..).zip(found).map(concern).collect();
    add(journal, Step::Parse { round }, Outcome::Concerns(ArticleReviewResult { concerns }));
    let mapping = |(id, (_, _, kind, agent)): (u32, &(&str, &str, ConcernType, Specialist))| ConcernMapping {
        concern_id: id,
        concern_type: *kind,
        selected_agent: *agent,
        confidence: Confidence::High,
        reason: "fits".into(),
    };
    let mappings = (1..).zip(found).map(mapping).collect();
    add(journal, Step::Map { round }, Outcome::Mapping(ConcernMappingResult { mappings }));
}

fn judge(journal: &mut Journal, round: u32, concern: u32, status: Status, rationale: &str, fix: Option<&str>) {
    let evidence = (concern == 2).then(|| "of which the state grant covers 0.8 million".to_owned());
    let citations = (concern == 2).then(|| vec!["https://grants.example.gov/2026/miller-park".to_owned()]);
    let verdict = Verdict {
        concern_id: concern,
        misleading: status != Status::Keep,
        status,
        rationale: rationale.into(),
        suggested_fix: fix.map(str::to_owned),
        evidence,
        citations,
    };
    add(journal, Step::Judge { round, concern }, Outcome::Verdict(verdict));
}

/// The first round up to its routing: two sources, a draft, six concerns.
fn routed() -> Journal {
    let mut opening = Opening { gates: Gates::Editor, ..opening() };
    opening.settings.max_rounds = 3;
    opening.topic.source_text = MINUTES.into();
    opening.topic.source_metadata.video_title = "Minutes of the town council".into();
    opening.more_sources = vec![Source { name: "Letter of the Friends of Miller Park".into(), text: LETTER.into() }];
    let mut journal = Journal::new(opening);
    add(&mut journal, Step::Draft, Outcome::Draft(draft("Miller Park to reopen", FIRST)));
    review(&mut journal, 1, &EXCERPTS);
    journal
}

/// At the first gate: four verdicts ask for something, one of them is overruled, and so is one that asked for nothing.
pub(crate) fn at_gate() -> Journal {
    let mut journal = routed();
    let said = [
        (
            Status::Rewrite,
            "Ms Marchand hopes for spring. No month was named.",
            Some("Say “in spring”, as a hope of the director's."),
        ),
        (
            Status::Rewrite,
            "The minutes say: “of which the state grant covers 0.8 million”. The rest is the town's.",
            Some("Say that the state pays 0.8 million."),
        ),
        (
            Status::Remove,
            "Mr de Vries asked who would mow the lawn; the rest he did not say.",
            Some("Remove the quotation."),
        ),
        (Status::Remove, "The minutes excuse Ms Okafor.", Some("Remove the sentence.")),
        (
            Status::Rewrite,
            "The letter is signed by Denise Pruitt, chair.",
            Some("Replace “Dennis Pruitt” with “Denise Pruitt”."),
        ),
        (Status::Keep, "It is attributed to the chair.", None),
    ];
    for (concern, (status, rationale, fix)) in (1..).zip(said) {
        judge(&mut journal, 1, concern, status, rationale, fix);
    }
    let fix = Some("Say: “We do not know who mows the lawn”.".to_owned());
    let reason = "I was there: he said the first half, and it is on my tape.".to_owned();
    decide(&mut journal, 1, Choice::Override { concern: 3, status: Status::Rewrite, fix, reason });
    let reason = "Seven chairs were taken; Ms Okafor came late, as the livestream shows.".to_owned();
    decide(&mut journal, 1, Choice::Override { concern: 4, status: Status::Keep, fix: None, reason });
    decide(&mut journal, 1, Choice::Feedback { text: "Name the director.".into() });
    journal
}

/// At the gate of the second round: the writer did what the specialists asked, and little of what the editor asked.
pub(crate) fn left_undone() -> Journal {
    let mut journal = at_gate();
    let text = "Delete “on Tuesday”.\nSay “in spring” and “Ms Marchand”.\nMake the lede livelier.\nAsk the mayor.";
    decide(&mut journal, 1, Choice::Feedback { text: text.into() });
    revised(journal).0
}

/// The second draft, which does what it was asked and more, and its review.
fn revised(mut journal: Journal) -> (Journal, String) {
    decide(&mut journal, 1, Choice::Continue);
    go_on(&mut journal);
    let second = FIRST
        .replace("in April", "in spring, the director of parks hopes")
        .replace("all of it from the state", "0.8 million of it from the state")
        .replace(", and nobody at the town hall could tell us.", ".")
        .replace("Dennis", "Denise")
        .replace("have collected 131,500 dollars", "have collected more than 131,500 dollars");
    let undone = vec!["Name the director.".to_owned()];
    let revised = Draft { undone, ..draft("Miller Park to reopen, council says", &second) };
    add(&mut journal, Step::Revise { round: 1 }, Outcome::Draft(revised));
    let found = [(
        "more than 131,500 dollars",
        "The letter has the sum itself.",
        ConcernType::InferredFact,
        Specialist::FactCheck,
    )];
    review(&mut journal, 2, &found);
    judge(&mut journal, 2, 1, Status::Rewrite, "The letter says 131,500.", Some("Remove “more than”."));
    (journal, second)
}

/// The third draft is the editor's own.
pub(crate) fn three_drafts() -> Journal {
    let (mut journal, second) = revised(at_gate());
    let by_hand = second
        .replace("more than 131,500", "131,500")
        .replace("the director of parks hopes", "Sylvie Marchand, the director of parks, hopes");
    let article = draft("Miller Park to reopen", &by_hand).article;
    decide(&mut journal, 2, Choice::Edit { article: article.clone() });
    decide(&mut journal, 2, Choice::Continue);
    go_on(&mut journal);
    add(&mut journal, Step::Revise { round: 2 }, Outcome::Draft(Draft { article, stripped: vec![], undone: vec![] }));
    journal
}

/// The third draft passed, and waits to be signed.
pub(crate) fn to_be_signed() -> Journal {
    let mut journal = three_drafts();
    review(&mut journal, 3, &EXCERPTS[3..4]);
    judge(&mut journal, 3, 1, Status::Rewrite, "The minutes excuse Ms Okafor.", Some("Say that she came late."));
    decide(&mut journal, 3, Choice::Stet { reason: "The livestream shows her.".into() });
    go_on(&mut journal);
    journal
}

/// It was signed.
pub(crate) fn signed() -> Journal {
    let mut journal = to_be_signed();
    decide(&mut journal, 3, Choice::SignOff { chain: "00ff".into(), as_notes: false });
    go_on(&mut journal);
    journal
}

/// It was spiked at its first gate.
pub(crate) fn spiked() -> Journal {
    let mut journal = at_gate();
    decide(&mut journal, 1, Choice::Spike { reason: "The council votes again next week.".into() });
    go_on(&mut journal);
    journal
}

/// The page of concerns with a pane, a concern and the passages that bear on some.
pub(crate) fn concerns(pane: Pane, concern: usize) -> Model {
    concerns_of(at_gate(), pane, concern)
}

/// The same once two more drafts are there, with what became of the first one.
pub(crate) fn concerns_and_changes(concern: usize) -> Model {
    let mut model = concerns_of(three_drafts(), Pane::List, concern);
    if let Some(story) = &mut model.story {
        story.changes.known.add((1, 2), between(&story.journal, 1, 2).map(Arc::new));
    }
    model
}

fn concerns_of(journal: Journal, pane: Pane, concern: usize) -> Model {
    let mut model = story(journal, Tab::Concerns);
    if let Some(story) = &mut model.story {
        story.show_round(1);
        story.set_places(1, panes::places(&story.journal, 1));
        let passage = |source: usize, words: &str, ground| {
            let start = story.sources[source].text.find(words).unwrap();
            Some(Bearing { source, range: start..start + words.len(), ground })
        };
        let known = [
            ((1, 1), passage(0, "Ms Marchand hopes for a start in spring; no month was named.", Ground::Proof)),
            ((1, 2), passage(0, "of which the state grant covers 0.8 million", Ground::Quoted)),
            ((1, 3), passage(0, "Mr de Vries asked who would mow the lawn.", Ground::Likeness)),
            ((1, 5), passage(1, "Denise Pruitt, chair", Ground::Proof)),
            ((1, 6), None),
        ];
        story.concerns.bearings = known.into_iter().collect();
        story.concerns.pane = pane;
        story.concerns.selected = concern;
        story.lay_panes();
    }
    model
}

/// A search in the draft, at its second hit.
pub(crate) fn searched() -> Model {
    let mut model = concerns(Pane::Draft, 0);
    if let Some(story) = &mut model.story {
        story.concerns.draft.search("park");
        story.concerns.draft.go_to_hit(true);
    }
    model
}

/// A round without any concern, and one that has not been reviewed.
pub(crate) fn unreviewed() -> Model {
    story(three_drafts(), Tab::Concerns)
}

/// Two drafts compared, at the change of that number.
pub(crate) fn changes(from: u32, to: u32, change: usize) -> Model {
    let mut model = story(three_drafts(), Tab::Changes);
    if let Some(story) = &mut model.story {
        let comparison = between(&story.journal, from, to).unwrap();
        let mut compared = Compared::new((from, to), Arc::new(comparison), Layout::SideBySide);
        compared.state.selected = change;
        story.changes.compared = Some(compared);
    }
    model
}

/// The article, from so many lines down.
pub(crate) fn article(journal: Journal, down: isize) -> Model {
    let mut model = story(journal, Tab::Article);
    if let Some(story) = &mut model.story {
        for pair in signing::pairs(&story.journal) {
            story.changes.known.add(pair, between(&story.journal, pair.0, pair.1).map(Arc::new));
        }
        story.lay_signing();
        // As far as the reader gets depends on the window, so it is laid out for one first.
        story.article.printed.lay(50, 8, true, &model.theme);
        story.article.printed.scroll_by(down);
    }
    model
}

fn rows() -> Vec<CallRow> {
    let row = |step, attempt, agent: &str, state, tokens: Option<(u64, u64)>| CallRow {
        run: RunKey(1),
        step,
        attempt,
        agent: agent.into(),
        model: "mistral-small-3.2-24b-instruct".into(),
        host: "127.0.0.1:1234".into(),
        state,
        error: (state == CallState::Rejected).then(|| "the answer was cut off after 12 tokens".into()),
        usage: Usage {
            prompt_tokens: tokens.map(|(sent, _)| sent),
            completion_tokens: tokens.map(|(_, received)| received),
            cached_tokens: tokens.map(|(sent, _)| sent / 2),
        },
        numbers: CallNumbers {
            times: Times {
                waited_ms: tokens.map(|_| 240),
                worked_ms: (state != CallState::Asked).then_some(u64::from(attempt) * 4_130),
            },
            cost: None,
        },
        prompt_bytes: None,
        answer_bytes: None,
        asked_at: "2026-10-06T12:00:01Z".into(),
        ended_at: None,
        repeats: 0,
        removed_at: None,
    };
    let judge = |concern| Step::Judge { round: 1, concern };
    vec![
        row(Step::Draft, 1, "writer", CallState::Rejected, None),
        row(Step::Draft, 2, "writer", CallState::Answered, Some((2_310, 412))),
        row(Step::Review { round: 1 }, 1, "article_review", CallState::Answered, Some((2_911, 240))),
        row(Step::Map { round: 1 }, 1, "concern_mapping", CallState::Answered, Some((1_120, 301))),
        row(judge(1), 1, "fact_check", CallState::Answered, Some((1_410, 95))),
        row(Step::Search { round: 1, concern: 2 }, 1, "evidence_search", CallState::Answered, Some((120, 410))),
        row(judge(2), 1, "evidence_finding", CallState::Asked, None),
    ]
}

fn texts() -> CallText {
    let message = |role, text: &str| Message::new(role, vec![Part { name: "task".into(), text: text.into() }]);
    let rules =
        "You are the specialist fact_check.\n\n1. Judge **one** concern.\n2. Answer as JSON, and as `JSON` only.";
    let task = "CONCERN_ID: 1\nEXCERPT: \"in April\"\nSOURCE: Ms Marchand hopes for a start in spring; 公園.";
    let prompt = Prompt::new(vec![message(Role::System, rules), message(Role::User, task)]);
    let text =
        "{\"concern_id\": 1, \"misleading\": true, \"status\": \"REWRITE\", \"rationale\": \"No month was named.\"}";
    let answer = Answer {
        text: text.into(),
        citations: vec!["https://example.org/minutes".into()],
        usage: Usage::default(),
        calls: vec![],
    };
    CallText { prompt, answer: Some(answer), error: None, removed_at: None }
}

/// The calls, with the texts of one.
pub(crate) fn calls(in_call: bool, raw: bool) -> Model {
    let mut model = story(at_gate(), Tab::Calls);
    if let Some(story) = &mut model.story {
        story.calls.list.set(rows());
        story.calls.list.selected = 4;
        (story.calls.in_text, story.calls.raw) = (in_call, raw);
        if in_call {
            story.calls.page = calls::model::page(&texts(), Step::Judge { round: 1, concern: 1 }, raw);
            story.calls.texts = Some(Box::new(texts()));
        }
    }
    model
}

/// A story that no model was asked about.
pub(crate) fn no_calls() -> Model {
    let mut model = story(at_gate(), Tab::Calls);
    if let Some(story) = &mut model.story {
        story.calls.list.set(Vec::new());
    }
    model
}
