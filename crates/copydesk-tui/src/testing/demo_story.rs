//! Stories of a desk as they go from draft to sign-off, for the snapshots.

use std::sync::Arc;

use crate::{
    app::model::Model,
    screens::{
        concerns::panes,
        live::model::Live,
        story::{model::StoryView, tabs::Tab},
    },
    testing::demo::{RUN, desk, run},
};
use copydesk_core::editorial::{
    changes,
    testing::{add, add_round, article, opening, verdict},
    testing::{decide, go_on},
};
use copydesk_core::ports::RunKey;
use copydesk_newsroom::*;

pub(crate) const BODY: &str = "The council voted five to two on Tuesday to reopen Miller Park in April.\n\nMayor Jane Holloway called the \
                    vote \u{201c}a great day for every child in this town\u{201d}. The work costs 1.2 million dollars, most of it \
                    from the state.\n\nTwo members voted no. \u{201c}We do not know who mows the lawn,\u{201d} said Piet de Vries.";

/// A run at the gate of its first round: five concerns, three of them open, one overruled, two to-dos.
pub(crate) fn at_gate() -> Journal {
    let mut journal = judged();
    let fix = Some("Say that the state pays 0.8 million.".to_owned());
    let reason = "The minutes name the state's share.".to_owned();
    decide(&mut journal, 1, Choice::Override { concern: 4, status: Status::Rewrite, fix, reason });
    decide(&mut journal, 1, Choice::Feedback { text: "Name the chair.\nSay when the work begins.".into() });
    journal
}

pub(crate) fn judged() -> Journal {
    let mut journal = Journal::new(Opening { gates: Gates::Editor, ..opening() });
    let agents = [
        Specialist::FactCheck,
        Specialist::Attribution,
        Specialist::FactCheck,
        Specialist::Opinion,
        Specialist::StyleReview,
    ];
    add_round(&mut journal, 1, &agents);
    let mut said = Journal::new(journal.opening.clone());
    for entry in journal.entries() {
        let mut entry = entry.clone();
        if let Outcome::Draft(draft) = &mut entry.outcome {
            draft.article = ArticleResponse { headline: "Miller Park to reopen in April".into(), ..article(BODY) };
            entry.usage = Usage { prompt_tokens: Some(2_310), completion_tokens: Some(412), ..Usage::default() };
        }
        if let Outcome::Review(review) = &mut entry.outcome {
            review.raw.markdown_bullets = "- x\n".repeat(5);
        }
        said.push(entry);
    }
    for (concern, status) in
        [(1, Status::Rewrite), (2, Status::Keep), (3, Status::Remove), (4, Status::Keep), (5, Status::Keep)]
    {
        let fix = (status != Status::Keep).then_some("Put it as the minutes do.");
        add(&mut said, Step::Judge { round: 1, concern }, Outcome::Verdict(verdict(concern, status, fix)));
    }
    said
}

/// A run whose second draft passed and waits to be signed.
pub(crate) fn passed() -> Journal {
    let mut journal = judged();
    decide(&mut journal, 1, Choice::Stet { reason: "The minutes bear it out.".into() });
    go_on(&mut journal);
    journal
}

/// A run that was signed off.
pub(crate) fn signed() -> Journal {
    let mut journal = passed();
    decide(&mut journal, 1, Choice::SignOff { chain: "00ff".into(), as_notes: false });
    go_on(&mut journal);
    journal
}

/// A run that could not be finished.
pub(crate) fn failed() -> Journal {
    let mut journal = Journal::new(Opening { gates: Gates::Editor, ..opening() });
    let draft = Draft { article: article(BODY), stripped: vec![], undone: vec![] };
    add(&mut journal, Step::Draft, Outcome::Draft(draft));
    let message = "the model server at 127.0.0.1:1234 refused the prompt: it is 18,400 tokens long and the model takes 8,192. \
                   Choose a model with a longer context, or shorten the source.";
    add(&mut journal, Step::Review { round: 1 }, Outcome::Failure(Failure::of(message)));
    journal
}

/// A run whose draft is being written.
pub(crate) fn started() -> Journal {
    Journal::new(Opening { gates: Gates::Editor, ..opening() })
}

fn record(at: &str, event: Event) -> EventRecord {
    EventRecord { at: format!("2026-10-06T{at}Z"), story: "local-news/miller-park-vote".into(), run: RUN.into(), event }
}

fn call(step: Step, agent: &str, attempt: u32) -> Event {
    let (agent, model) = (agent.to_owned(), "mistral-small".to_owned());
    Event::CallStarted { step, attempt, agent, model, host: "127.0.0.1:1234".into() }
}

/// The open story on that page.
pub(crate) fn story(journal: Journal, tab: Tab) -> Model {
    let mut model = desk();
    let row = model.desk.row("local-news/miller-park-vote").unwrap();
    let mut story = StoryView::new(row.key, row.run.clone(), Arc::new(journal), 20);
    story.tab = tab;
    story.lay_sources();
    story.set_places(story.round, panes::places(&story.journal, story.round));
    story.gate.left = changes::left(&story.journal, story.gate.left_in);
    story.gate.extract = copydesk_core::editorial::extract::Extract::of(&story.journal, story.gate.left_in);
    story.lay_rail(None, false);
    model.screen = crate::app::model::Screen::Story;
    model.story = Some(Box::new(story));
    model
}

/// The draft as it streams in, at the second attempt.
pub(crate) fn writing() -> Model {
    let mut model = story(started(), Tab::Live);
    let mut live = Live::default();
    live.happened(&record("12:09:20", call(Step::Draft, "writer", 1)));
    let message = "the answer was cut off after 12 tokens".to_owned();
    live.happened(&record(
        "12:09:30",
        Event::CallFailed { step: Step::Draft, attempt: 1, message, again_in_seconds: Some(2.0) },
    ));
    live.happened(&record("12:09:32", call(Step::Draft, "writer", 2)));
    let first = "2026-10-06T12:09:40Z".parse().unwrap();
    for piece in BODY.split_inclusive(' ').cycle().take(240) {
        live.heard(Step::Draft, &piece.into(), first);
    }
    show_live(&mut model, live);
    model
}

/// Two specialists at work at once, one of them after a failed attempt.
pub(crate) fn judging() -> Model {
    let mut journal = judged();
    let kept: Vec<Entry> = journal.entries().iter().take(6).cloned().collect();
    journal = Journal::new(journal.opening.clone());
    for entry in kept {
        journal.push(entry);
    }
    let mut model = story(journal, Tab::Live);
    let mut live = Live::default();
    let (one, two) = (Step::Judge { round: 1, concern: 3 }, Step::Judge { round: 1, concern: 4 });
    live.happened(&record("12:08:00", call(one, "fact_check", 1)));
    live.happened(&record("12:09:55", call(two, "opinion", 1)));
    live.heard(
        one,
        &"{\"concern_id\": 3, \"misleading\": true, \"status\": \"REMOVE\", \"rationale\": \"The minutes".into(),
        "2026-10-06T12:09:58Z".parse().unwrap(),
    );
    show_live(&mut model, live);
    model
}

fn show_live(model: &mut Model, live: Live) {
    if let Some(story) = &mut model.story {
        story.lay_rail(Some(&live), true);
    }
    model.live.insert("local-news/miller-park-vote".into(), live);
    model.streamed = true;
}

pub(crate) fn with_log() -> Model {
    let mut model = story(at_gate(), Tab::Log);
    let step = Step::Judge { round: 1, concern: 3 };
    let long = "The minutes of 6 October name the vote as five to two, with Ms Okafor absent; the draft says that all members \
                were there, which the source does not bear out, and gives the sum without the state's share.";
    let mut records = vec![
        record(
            "12:00:00",
            Event::RunOpened { title: "Council votes on Miller Park".into(), engine: "llm".into(), max_rounds: 3 },
        ),
        record(
            "12:00:00",
            Event::RunForked { from: "20261005T090000Z_89abcdef".into(), at: Some(Step::Review { round: 1 }) },
        ),
        record("12:00:01", call(Step::Draft, "writer", 1)),
        record("12:00:31", Event::StepDone { step: Step::Draft, summary: "draft of 62 words".into() }),
        record(
            "12:00:40",
            Event::CallFailed {
                step: Step::Review { round: 1 },
                attempt: 1,
                message: "time-out after 60 s".into(),
                again_in_seconds: Some(2.0),
            },
        ),
        record(
            "12:01:10",
            Event::VerdictGiven { step, excerpt: "all members were there".into(), status: Status::Remove },
        ),
        record("12:01:11", Event::Noted { step, message: long.into() }),
        record(
            "12:02:00",
            Event::GateWaits {
                gate: "r1.gate".into(),
                question: "Round 1: 3 concerns open. Back to the writer?".into(),
            },
        ),
        record(
            "12:05:00",
            Event::Decided {
                step: Step::Decide { round: 1, number: 1 },
                by: "Ada Quill".into(),
                choice: "override".into(),
                concern: Some(4),
                reason: "REWRITE: The minutes name the state's share.".into(),
            },
        ),
        record("12:06:00", Event::PrioritySet { priority: Priority::High, by: "Ada Quill".into() }),
    ];
    records.extend((0..30).map(|number| {
        record(&format!("12:07:{number:02}"), Event::StepDone { step, summary: format!("REMOVE, with fix {number}") })
    }));
    if let Some(story) = &mut model.story {
        story.log.set(records);
        story.log.selected = 6;
    }
    model
}

/// A draft that rules made of an interview, to be signed.
pub(crate) fn extracted() -> Journal {
    let mut journal = Journal::new(Opening { extract: true, gates: Gates::Editor, ..opening() });
    journal.opening.topic.source_text = "HOST: When will the bridge close?\nLOPEZ: The bridge will close on Monday. It stays closed \
                                         for eleven weeks.\nLOPEZ: The repairs cost $4.2 million. The state pays half of that."
        .into();
    let body = "“The bridge will close on Monday,” Lopez said. “It stays closed for eleven weeks.”";
    add(&mut journal, Step::Draft, Outcome::Draft(Draft { article: article(body), stripped: vec![], undone: vec![] }));
    let raw = ArticleReviewRaw { markdown_bullets: String::new() };
    add(&mut journal, Step::Review { round: 1 }, Outcome::Review(Review::new(raw, Vec::new())));
    add(&mut journal, Step::Parse { round: 1 }, Outcome::Concerns(ArticleReviewResult { concerns: vec![] }));
    journal
}

pub(crate) fn with_runs() -> Model {
    let mut model = story(at_gate(), Tab::Runs);
    let now = run("local-news/miller-park-vote", "Council votes on Miller Park", "open");
    let before = ListedRun {
        run: "20261005T090000Z_89abcdef".into(),
        state: copydesk_newsroom::RunState::Failed,
        current: false,
        rounds: 3,
        open_concerns: 4,
        flags: vec!["rounds used up with concerns open".into()],
        opened_at: "2026-10-05T09:00:00Z".into(),
        updated_at: "2026-10-05T09:20:00Z".into(),
        error: Some("3 rounds were reviewed and 4 concerns are still open".into()),
        ..now.clone()
    };
    let waits = ListedRun { waits: Some("r1.gate".into()), ..now };
    if let Some(story) = &mut model.story {
        story.runs.set(vec![(RunKey(1), waits), (RunKey(9), before)]);
        story.runs.selected = 1;
        story.two_runs.wanted = Some(RunKey(9));
        let compared = story.journal.draft(1).map(|draft| {
            let other = draft.article.map(|_, text| text.replace("five to two", "six to one").replace("April", "May"));
            Arc::new(changes::by_hand(&draft.article, &other))
        });
        story.two_runs.set(RunKey(9), compared);
    }
    model
}
