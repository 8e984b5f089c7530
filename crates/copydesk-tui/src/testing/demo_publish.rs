//! The publish page, for the snapshots and the tests of its keys: while it is read, with targets in each state, held back.

use crate::{
    app::{self, actions::Action, model::Model, news::News},
    screens::story::tabs::Tab,
    testing::{demo, demo_story},
};
use copydesk_core::desk::{PublishStanding, TargetStanding};
use copydesk_core::editorial::{distribution::NextSending, export::ExportFormat};
use copydesk_core::ports::{KeptDelivery, RunKey};
use copydesk_newsroom::{DeliveryState, StoryDelivery, TargetKind};

fn kept(target: &str, kind: TargetKind, place: &str, state: DeliveryState, answer: Option<&str>) -> KeptDelivery {
    KeptDelivery {
        story: "local-news/miller-park-vote".into(),
        run: demo::RUN.into(),
        queued_at: "2026-10-06T12:00:00Z".into(),
        changed_at: "2026-10-06T12:03:00Z".into(),
        delivery: StoryDelivery {
            key: "k".into(),
            target: target.into(),
            kind,
            place: place.into(),
            version: "v".into(),
            digest: None,
            state,
            attempts: 1,
            answer: answer.map(str::to_owned),
            by: "Ada".into(),
        },
    }
}

/// Three targets: one that has the version, one that failed, one in an unknown state.
pub(crate) fn standing() -> PublishStanding {
    let target = |name: &str, kind, place: &str, format, state: DeliveryState, answer, next| TargetStanding {
        name: name.into(),
        kind,
        place: place.into(),
        format,
        last: Some(kept(name, kind, place, state, answer)),
        next: Some(next),
    };
    PublishStanding {
        targets: vec![
            target(
                "site",
                TargetKind::Folder,
                "/srv/site/incoming",
                ExportFormat::Html,
                DeliveryState::Sent,
                None,
                NextSending::Already,
            ),
            target(
                "cms",
                TargetKind::Webhook,
                "https://cms.example/hook\u{1b}[31m",
                ExportFormat::Ninjs,
                DeliveryState::Failed,
                Some("answered 503"),
                NextSending::Send,
            ),
            target(
                "subscribers",
                TargetKind::Email,
                "desk@example.org, readers@example.org by mail.example.org:587",
                ExportFormat::Docx,
                DeliveryState::Unknown,
                Some("no answer within 30 s"),
                NextSending::Doubtful,
            ),
        ],
        held_back: None,
        embargo: None,
        disclosure: Some("This article was made with the help of artificial intelligence (AI).".into()),
        checks: Some(vec!["Headline, headline: It has 80 characters. Keep it below 70.".into()]),
        withdraws: false,
        preview: "# Council votes to renovate Miller Park\n\nThe council voted seven to two on Tuesday.\n".into(),
    }
}

/// The same before the sign-off.
pub(crate) fn held_back() -> PublishStanding {
    let mut standing = standing();
    for target in &mut standing.targets {
        (target.last, target.next) = (None, None);
    }
    standing.held_back = Some("local-news/miller-park-vote waits for its sign-off".into());
    standing.embargo = Some("2026-10-07T16:00:00Z".into());
    standing
}

fn page(standing: Option<PublishStanding>) -> Model {
    let mut model = demo_story::story(demo_story::at_gate(), Tab::Article);
    app::perform::perform(&mut model, Action::ShowPublish);
    let run = model.story.as_ref().map_or(RunKey(1), |story| story.key);
    if let Some(standing) = standing {
        app::hear::hear(&mut model, News::Publishing(run, Box::new(standing)));
    }
    model
}

pub(crate) fn screens() -> Vec<(&'static str, Model)> {
    let nowhere = PublishStanding {
        held_back: Some("there is no target to publish to: add one to `publisher.targets` in the configuration".into()),
        ..PublishStanding::default()
    };
    vec![
        ("publish", page(Some(standing()))),
        ("publish_held_back", page(Some(held_back()))),
        ("publish_nowhere", page(Some(nowhere))),
        ("publish_reading", page(None)),
    ]
}
