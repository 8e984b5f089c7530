//! Claims of a draft, for the snapshots: with witnesses that contradict each other, without any, and before they are checked.

use crate::{
    app::{self, actions::Action, model::Model},
    screens::{claims::model::ClaimsPage, story::tabs::Tab},
    testing::demo_story::{at_gate, passed, started, story},
    widgets::list_and_text::ListStage,
};
use copydesk_core::editorial::testing::add;
use copydesk_newsroom::*;

fn passage(file: &str, tier: Tier, text: &str) -> Passage {
    Passage {
        file: file.into(),
        start: 120,
        end: 120 + text.len() as u64,
        text: text.into(),
        tier,
        ..Passage::default()
    }
}

/// The minutes, as far as they speak of something.
fn minutes(text: &str) -> Passage {
    Passage { credibility: Some(1.0), published: Some("2026-10-06".into()), ..passage("Minutes", Tier::Source, text) }
}

fn ordinance() -> Passage {
    Passage {
        heading: "Parks > When work\u{1b}[2J may begin".into(),
        credibility: Some(0.9),
        published: Some("2019-03-05".into()),
        ..passage("parks/ordinance.md", Tier::Knowledge, "Work on parks must not begin in April, when birds breed.")
    }
}

fn witness(passage: Passage, stance: Stance, note: Option<&str>) -> Witness {
    Witness { passage, stance, note: note.map(str::to_owned) }
}

fn claim(text: &str, passage: Option<Passage>, similarity: f64, findings: &[&str]) -> Claim {
    Claim {
        start: 0,
        end: text.len(),
        text: text.into(),
        similarity: passage.as_ref().map(|_| similarity),
        measure: if passage.is_some() { SimilarityMeasure::Cosine } else { SimilarityMeasure::Words },
        passage,
        findings: findings.iter().map(|finding| (*finding).to_owned()).collect(),
        witnesses: vec![],
        resolved: None,
        distrusted: vec![],
        weak_pages: vec![],
        verified: findings.is_empty() && similarity >= 0.7,
    }
}

fn contradicted(claim: Claim, witnesses: Vec<Witness>, by: ConflictResolution, prevails: Option<Stance>) -> Claim {
    let reason = match prevails {
        None => "a human decides",
        Some(_) => "the witness of higher credibility prevails",
    };
    let verified = claim.verified && prevails == Some(Stance::Carries);
    Claim { witnesses, resolved: Some(Resolved { by, prevails, reason: reason.into() }), verified, ..claim }
}

/// A claim of each kind.
pub(crate) fn claims() -> Claims {
    let reopens = "The council voted five to two to reopen the park in April.";
    let april = contradicted(
        claim(
            "The council voted five to two on Tuesday to reopen Miller Park in April.",
            Some(minutes(reopens)),
            0.91,
            &[],
        ),
        vec![
            witness(minutes(reopens), Stance::Carries, None),
            witness(ordinance(), Stance::Contradicts, Some("The passage says that work must not begin in April.")),
            witness(
                passage("https://news.example/公園", Tier::Evidence, "The park stays shut until June, the mayor said."),
                Stance::Contradicts,
                Some("The passage has “June” where the claim has “April”."),
            ),
        ],
        ConflictResolution::Human,
        None,
    );
    let costs = claim(
        "The work costs 1.2 million dollars, most of it from the state.",
        Some(minutes("The work is estimated at 2.1 million dollars, of which the state grant covers 0.8 million.")),
        0.83,
        &[
            "The source has “2.1 million dollars”, not\u{1b}[31m “1.2 million dollars”.",
            "0.8 of 2.1 million is not most of it.",
        ],
    );
    let lost = "Two members voted no; nobody abstained, and the mayor did not vote.";
    let lost = contradicted(
        claim("Two members voted no.", Some(minutes(lost)), 0.78, &[]),
        vec![
            witness(minutes(lost), Stance::Carries, None),
            witness(
                passage("blog.md", Tier::Knowledge, "Three members voted no."),
                Stance::Contradicts,
                Some("The passage has “three”."),
            ),
        ],
        ConflictResolution::Credibility,
        Some(Stance::Carries),
    );
    let lawn = claim("“We do not know who mows the lawn,” said Piet de Vries.", None, 0.0, &[]);
    let far = claim("The park has stood since 1958.", Some(ordinance()), 0.31, &[]);
    Claims { claims: vec![april, costs, lost, lawn, far], words_only: None }
}

/// The story with its check of claims, and what came of it.
pub(crate) fn checked(mut journal: Journal, outcome: Option<Outcome>) -> Journal {
    let similarity = LeastSimilarity { cosine: 70, words: 60 };
    journal.opening.settings.claims =
        Some(ClaimRules { similarity, score_floor: Some(50), conflict_resolution: ConflictResolution::Human });
    if let Some(outcome) = outcome {
        add(&mut journal, Step::Claims { round: 1 }, outcome);
    }
    journal
}

fn opened(journal: Journal) -> Model {
    let mut model = story(journal, Tab::Concerns);
    app::perform::perform(&mut model, Action::ShowClaims);
    model
}

fn on_page(mut model: Model, change: impl FnOnce(&mut ClaimsPage)) -> Model {
    if let Some(page) = model.on_top_mut::<ClaimsPage>() {
        change(page);
    }
    model
}

/// The claims with one selected, by its place in the draft.
pub(crate) fn at(place: usize, stage: ListStage) -> Model {
    on_page(opened(checked(at_gate(), Some(Outcome::Claims(claims())))), |page| {
        page.list.selected = page.ranks.iter().position(|(at, _)| *at == place).unwrap_or_default();
        page.open();
        page.list.stage = stage;
    })
}

/// Every state of them.
pub(crate) fn screens() -> Vec<(&'static str, Model)> {
    let none = Outcome::Claims(Claims::default());
    let message = "the search for passages took longer than 30 seconds".to_owned();
    let searched = on_page(at(0, ListStage::List), |page| {
        page.list.page.resize(76, 8);
        page.search("the mayor").unwrap();
    });
    let done = Outcome::Claims(claims());
    vec![
        ("claims_on_the_rail", story(checked(at_gate(), Some(done)), Tab::Live)),
        ("claims", at(0, ListStage::List)),
        ("claims_against", at(1, ListStage::List)),
        ("claims_text", at(0, ListStage::Text)),
        ("claims_no_passage", at(3, ListStage::Text)),
        ("claims_search", searched),
        ("claims_none", opened(checked(at_gate(), Some(none)))),
        ("claims_off", opened(at_gate())),
        ("claims_not_yet", opened(checked(at_gate(), None))),
        ("claims_never", opened(checked(passed(), None))),
        ("claims_failed", opened(checked(at_gate(), Some(Outcome::Failure(Failure::of(message)))))),
        ("claims_no_draft", opened(checked(started(), None))),
    ]
}
