//! The record page, for the snapshots and the tests of its keys: while it is read, before and after a withdrawal.

use crate::{
    app::{
        self,
        actions::Action,
        model::Model,
        news::{News, StoryRecord},
    },
    screens::story::tabs::Tab,
    testing::{demo, demo_story},
};
use copydesk_core::editorial::control_record::{CheckedLog, RecordedRun, record};
use copydesk_core::ports::RunKey;
use copydesk_newsroom::{ListedRun, ReplyAnswer, StoryReply, StoryWithdrawal};

fn reply(name: &str, due: Option<&str>, answer: Option<&str>) -> StoryReply {
    let at = || "2026-10-06T12:00:00Z".to_owned();
    StoryReply {
        name: name.into(),
        about: "the cost of the park".into(),
        asked_at: at(),
        asked_by: "Ada".into(),
        due: due.map(str::to_owned),
        answer: answer.map(|text| ReplyAnswer { text: text.into(), at: at(), by: "Ada".into() }),
    }
}

/// A story that waits at its gate, in a first version's correction: one person has answered, one has not, one was not asked.
pub(crate) fn known() -> StoryRecord {
    let journal = demo_story::at_gate();
    let listed = ListedRun::example("local-news/miller-park-vote", "The park", "open");
    let run = ListedRun { run: journal.opening.run_id.clone(), ..listed };
    let runs = [RecordedRun { run: run.clone(), journal, events: vec![] }];
    let log = CheckedLog { events: 12, head: "00ff".into(), flaws: vec![] };
    let signed = ListedRun {
        run: demo::RUN.into(),
        signed_by: Some("Ada\u{1b}[31m".into()),
        ..ListedRun::example("local-news/miller-park-vote", "The park", "success")
    };
    StoryRecord {
        record: record(&runs, &run.run, &log, None).unwrap(),
        versions: vec![signed],
        replies: vec![reply("Ann Lee", None, Some("No comment.")), reply("Bo Kim", Some("2026-10-06T13:00:00Z"), None)],
        unasked: vec!["Cy Ray".into()],
        at: "2026-10-06T14:00:00Z".parse().unwrap(),
    }
}

/// The same after the version was withdrawn, on a desk whose log was changed.
fn withdrawn() -> StoryRecord {
    let mut known = known();
    known.versions[0].withdrawn = Some(StoryWithdrawal {
        at: "2026-10-06T13:30:00Z".into(),
        by: "Ada".into(),
        reason: "The letter was forged.".into(),
        number: 2,
    });
    known.record.log.flaws = vec!["the row of the run R1 was changed: its signature".into()];
    known
}

/// A story before anything of it was signed.
pub(crate) fn nothing_yet() -> StoryRecord {
    StoryRecord { versions: vec![], replies: vec![], unasked: vec![], ..known() }
}

fn page(known: Option<StoryRecord>, down: isize) -> Model {
    let mut model = demo_story::story(demo_story::at_gate(), Tab::Article);
    app::perform::perform(&mut model, Action::ShowRecord);
    let run = model.story.as_ref().map_or(RunKey(1), |story| story.key);
    if let Some(known) = known {
        app::hear::hear(&mut model, News::StoryRecord(run, Box::new(known)));
    }
    for _ in 0..down {
        app::perform::perform(&mut model, Action::MoveDown);
    }
    model
}

pub(crate) fn screens() -> Vec<(&'static str, Model)> {
    vec![
        ("record_replies", page(Some(known()), 1)),
        ("record_withdrawn", page(Some(withdrawn()), 0)),
        ("record_empty", page(Some(nothing_yet()), 0)),
        ("record_reading", page(None, 0)),
    ]
}
