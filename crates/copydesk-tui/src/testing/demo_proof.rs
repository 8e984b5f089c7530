//! A draft with quotations, figures and names, some as their sources have them and some not, for the Proof page.

use crate::{
    app::model::Model,
    screens::{
        proof::proved::{NoProof, Proved},
        story::tabs::{Pane, Tab},
    },
    testing::demo_story::story,
};
use copydesk_core::editorial::{
    testing::{add, opening, verdict},
    testing::{decide, go_on},
};
use copydesk_newsroom::*;
use copydesk_style::{NoteLevel, StyleNote, StyleReview};

const MINUTES: &str = "MINUTES OF THE TOWN COUNCIL, 6 OCTOBER 2026\n\nPresent: Mayor Jane Holloway, Councilors Tunde Adeyemi, Piet de Vries, Karin \
    Lund, Nikos Petrakis and Farida Shah.\n\nThe clerk read the letter of the Friends of Miller Park. The work is estimated at $1.8 \
    million, of which the state grant covers $800,000. It may begin in spring; no month was named.\n\nPiet de Vries asked who would \
    mow the lawn. \"We do not know who mows the lawn, and we have not budgeted for it,\" he said. \"Nobody at the town hall could tell \
    me.\"\n\nThe plan was approved, four votes to two. Nays: de Vries, Lund.";

const LETTER: &str = "Letter of the Friends of Miller Park to the council\n\nWe have collected $131,500 and have pledges for a further \
    $18,500. The children of the Northside have waited two years for this day.\n\nDenise Pruitt, chair";

const BODY: &str = "The town council approved the plan for Miller Park, four votes to two.\n\nThe work is estimated at $2.8 million, of \
    which the state grant covers $800,000. The Friends of Miller Park have collected $131,500.\n\n“We do not know who mows the lawn, \
    and we have budgeted for it,” said Piet de Vries. “Nobody at the town hall could tell me.”\n\nMayor Jane Holloway answered that “the \
    swings are rusty and somebody will be hurt before the summer is over”. The chair of the Friends is Dennis Pruitt.";

pub(crate) fn proved_article() -> ArticleResponse {
    ArticleResponse {
        headline: "Council approves plan for Miller Park".into(),
        alternativeHeadline: "Four votes to two for the park".into(),
        articleBody: BODY.into(),
        description: "The plan for Miller Park was approved.".into(),
    }
}

/// A run with two sources at the gate of its first round; a program reviewed the draft.
pub(crate) fn proved() -> Journal {
    at_gate(Status::Rewrite)
}

fn at_gate(status: Status) -> Journal {
    let mut opening = Opening { gates: Gates::Editor, ..opening() };
    opening.settings.max_rounds = 3;
    opening.topic.source_text = MINUTES.into();
    opening.topic.source_metadata.video_title = "Minutes of the town council".into();
    opening.more_sources = vec![Source { name: "Letter of the Friends of Miller Park".into(), text: LETTER.into() }];
    let sources = opening.sources();
    let mut journal = Journal::new(opening);
    let article = proved_article();
    let review = copydesk_core::agents::offline::review::review(&article, &sources, &[], None);
    let raised: Vec<Concern> = (1..)
        .zip(&review.findings)
        .map(|(concern_id, finding)| Concern {
            concern_id,
            excerpt: finding.text.clone(),
            review_note: finding.note.clone(),
        })
        .collect();
    let ids: Vec<u32> = raised.iter().map(|concern| concern.concern_id).collect();
    let mapping = |finding: &Finding, concern_id| ConcernMapping {
        concern_id,
        concern_type: finding.concern_type,
        selected_agent: Specialist::FactCheck,
        confidence: Confidence::High,
        reason: "fits".into(),
    };
    let mappings = review.findings.iter().zip(&ids).map(|(finding, id)| mapping(finding, *id)).collect();
    add(&mut journal, Step::Draft, Outcome::Draft(Draft { article, stripped: vec![], undone: vec![] }));
    add(&mut journal, Step::Review { round: 1 }, Outcome::Review(review));
    add(&mut journal, Step::Parse { round: 1 }, Outcome::Concerns(ArticleReviewResult { concerns: raised }));
    add(&mut journal, Step::Map { round: 1 }, Outcome::Mapping(ConcernMappingResult { mappings }));
    for concern in ids {
        let fix = (status != Status::Keep).then_some("Put it as the source does.");
        let said = verdict(concern, status, fix);
        add(&mut journal, Step::Judge { round: 1, concern }, Outcome::Verdict(said));
    }
    journal
}

/// The same draft, every finding waved through by its specialist, on its way to be signed; one quotation is vouched for.
pub(crate) fn held_back() -> Journal {
    let mut journal = at_gate(Status::Keep);
    decide(&mut journal, 1, Choice::Accept { finding: 2, reason: "I hold the tape: he said so twice.".into() });
    decide(&mut journal, 1, Choice::Continue);
    go_on(&mut journal);
    journal
}

/// The gate was left, and the writer has changed nothing; the second draft is not reviewed yet.
pub(crate) fn second_draft() -> Journal {
    let mut journal = proved();
    decide(&mut journal, 1, Choice::Continue);
    go_on(&mut journal);
    let draft = Draft { article: proved_article(), stripped: vec![], undone: vec![] };
    add(&mut journal, Step::Revise { round: 1 }, Outcome::Draft(draft));
    journal
}

/// The Proof page before the proof is there.
pub(crate) fn proving() -> Model {
    story(proved(), Tab::Proof)
}

/// The Proof page at a row, with the keys in a pane.
pub(crate) fn proof(journal: Journal, pane: Pane, row: usize) -> Model {
    let mut model = story(journal, Tab::Proof);
    if let Some(story) = &mut model.story {
        let proved = Proved::of(&story.journal, story.round).unwrap();
        story.proof.add(story.round, Ok(proved.into()));
        story.show_proof();
        story.select_row(isize::try_from(row).unwrap());
        story.proof.pane = pane;
    }
    model
}

/// A spelling note on a word of the draft.
pub(crate) fn note() -> StyleNote {
    let start = BODY.find("covers").unwrap();
    StyleNote {
        rule: "Spelling.Unknown".into(),
        level: NoteLevel::Warning,
        message: "“covers” is in no dictionary and in no source.".into(),
        field: "articleBody",
        start,
        end: start + "covers".len(),
        text: "covers".into(),
        replacement: None,
    }
}

/// The Proof page at a note on spelling.
pub(crate) fn spelling() -> Model {
    let mut model = proof(proved(), Pane::List, 0);
    if let Some(story) = &mut model.story {
        story.proof.spell(1, StyleReview { notes: vec![note()], readability: None });
        story.show_proof();
        story.select_row(4);
    }
    model
}

/// The proof broke off.
pub(crate) fn broken() -> Model {
    let mut model = proving();
    if let Some(story) = &mut model.story {
        story.proof.add(1, Err(NoProof::Failed));
        story.show_proof();
    }
    model
}
