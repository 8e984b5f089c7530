//! A small story for the tests of every crate: its opening, a draft, a round, a verdict.

#![allow(clippy::missing_panics_doc, clippy::unwrap_used, reason = "for tests, which stop at the unexpected")]

use crate::{
    ArticleResponse, ArticleReviewRaw, ArticleReviewResult, Concern, ConcernMapping, ConcernMappingResult, ConcernType,
    Confidence, Draft, Entry, Journal, ListedRun, Opening, Outcome, PathName, Priority, Review, SourceMetadata,
    Specialist, Status, Step, Topic, Usage, Verdict,
};

pub fn opening() -> Opening {
    let mut opening = Opening {
        run_id: "20261006T120000Z_0123abcd".into(),
        opened_at: "2026-10-06T12:00:00Z".into(),
        artifacts_dir: "data/output/article_editor_runs/desk/park/20261006T120000Z_0123abcd".into(),
        pins: "pins".into(),
        ..Opening::of(
            Topic {
                source_text: "The council voted.".into(),
                source_metadata: SourceMetadata {
                    source_file: "park.json".into(),
                    channel_name: PathName::new("desk").unwrap(),
                    video_id: "v1".into(),
                    video_title: "Minutes".into(),
                    publish_date: None,
                    topic_slug: PathName::new("park").unwrap(),
                    topic_title: "The park".into(),
                },
                style_mode: "SCIAM_MAGAZINE".into(),
                target_length_words: "250-400".into(),
                optional_angle: None,
            },
            2,
        )
    };
    opening.settings.seeks_evidence = true;
    opening
}

pub fn article(body: &str) -> ArticleResponse {
    ArticleResponse {
        headline: "Headline".into(),
        alternativeHeadline: "Alternative".into(),
        articleBody: body.into(),
        description: "Description.".into(),
    }
}

pub fn verdict(concern_id: u32, status: Status, fix: Option<&str>) -> Verdict {
    Verdict {
        concern_id,
        misleading: status != Status::Keep,
        status,
        rationale: format!("rationale {concern_id}"),
        suggested_fix: fix.map(str::to_owned),
        evidence: None,
        citations: None,
    }
}

pub fn add(journal: &mut Journal, step: Step, outcome: Outcome) {
    journal.push(Entry { step, outcome, at: "2026-10-06T12:00:01Z".into(), usage: Usage::default(), shown: None });
}

pub fn add_round(journal: &mut Journal, round: u32, agents: &[Specialist]) {
    let draft = Draft { article: article(&format!("Draft {round} with an x.")), stripped: vec![], undone: vec![] };
    let step = if round == 1 { Step::Draft } else { Step::Revise { round: round - 1 } };
    add(journal, step, Outcome::Draft(draft));
    let raw = ArticleReviewRaw { markdown_bullets: "- x".repeat(agents.len()) };
    add(journal, Step::Review { round }, Outcome::Review(Review::new(raw, vec![])));
    let ids = 1..=u32::try_from(agents.len()).unwrap();
    let concerns =
        ids.clone().map(|concern_id| Concern { concern_id, excerpt: "x".into(), review_note: "x".into() }).collect();
    add(journal, Step::Parse { round }, Outcome::Concerns(ArticleReviewResult { concerns }));
    if agents.is_empty() {
        return;
    }
    let mappings = ids
        .zip(agents)
        .map(|(concern_id, agent)| ConcernMapping {
            concern_id,
            concern_type: ConcernType::UnsupportedFact,
            selected_agent: *agent,
            confidence: Confidence::High,
            reason: "r".into(),
        })
        .collect();
    add(journal, Step::Map { round }, Outcome::Mapping(ConcernMappingResult { mappings }));
}

impl ListedRun {
    /// A run for tests.
    pub fn example(story: &str, title: &str, state: &str) -> Self {
        let at = || "2026-10-06T12:00:00.000Z".to_owned();
        Self {
            story: story.into(),
            title: title.into(),
            desk: None,
            run: "20261006T120000Z_0123abcd".into(),
            state: state.parse().unwrap(),
            waits: None,
            signed_by: None,
            version: 1,
            priority: Priority::Normal,
            due: None,
            assigned: None,
            embargo: None,
            withdrawn: None,
            unasked: Vec::new(),
            replies_due: Vec::new(),
            paused: false,
            current: true,
            took_over: None,
            rounds: 1,
            max_rounds: 3,
            open_concerns: 0,
            flags: Vec::new(),
            settled_by: None,
            stands_since: at(),
            prompt_tokens: 0,
            completion_tokens: 0,
            opened_at: at(),
            updated_at: at(),
            extract: false,
            error: None,
        }
    }
}
