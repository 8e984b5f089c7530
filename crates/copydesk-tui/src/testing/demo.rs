//! A desk as a newsroom has it, for the snapshots.

use crate::{
    app::model::{House, Model, Server},
    screens::desk::model::{DeskRow, StoryHolder},
    widgets::theme::{Theme, ThemeName},
};
use copydesk_config::Price;
use copydesk_core::ports::RunKey;
use copydesk_newsroom::*;

pub(crate) const RUN: &str = "20261006T120000Z_0123abcd";

pub(crate) fn empty() -> Model {
    let house = House {
        editor: "Ada Quill".into(),
        recorded: None,
        servers: vec![Server { host: "127.0.0.1:1234".into(), here: true }],
        prices: vec![],
        notifies: true,
        countdown: None,
        memory_expires_after_days: Some(90),
        knowledge_folder: "data/knowledgebase".into(),
        min_credibility: 0.7,
        styles: vec!["MAGAZINE".into(), "NEWS".into()],
        settings: crate::screens::settings::model::SeenSettings::example(),
    };
    let mut model = Model::new(
        house,
        crate::app::keymap::KeyMap::default(),
        Theme::named(ThemeName::Dark),
        false,
        "2026-10-06T12:10:00Z".parse().unwrap(),
    );
    model.desk.loaded = true;
    model
}

pub(crate) fn priced(mut model: Model) -> Model {
    model.house.servers.push(Server { host: "api.example.com".into(), here: false });
    model.house.prices = vec![Price {
        cached_per_million: None,
        model: "large".into(),
        currency: "USD".into(),
        prompt_per_million: 3.0,
        completion_per_million: 15.0,
    }];
    model
}

pub(crate) fn run(story: &str, title: &str, state: &str) -> ListedRun {
    ListedRun {
        desk: Some("city".into()),
        run: RUN.into(),
        open_concerns: 2,
        prompt_tokens: 10_930,
        completion_tokens: 1_410,
        opened_at: "2026-10-06T11:50:00Z".into(),
        updated_at: "2026-10-06T12:07:00Z".into(),
        ..ListedRun::example(story, title, state)
    }
}

/// Stories in every standing, and names that are hard on a table.
pub(crate) fn desk() -> Model {
    let open = |story: &str, title: &str| run(story, title, "open");
    let rows = vec![
        (
            StoryHolder::Nobody,
            ListedRun {
                waits: Some("r1.gate".into()),
                priority: Priority::High,
                ..open("local-news/miller-park-vote", "Council votes on Miller Park")
            },
        ),
        (
            StoryHolder::Nobody,
            ListedRun {
                waits: Some("r2.sign-off".into()),
                rounds: 2,
                open_concerns: 0,
                ..open("science/bees-in-towns", "Why bees do well in towns")
            },
        ),
        (
            StoryHolder::Nobody,
            ListedRun {
                rounds: 3,
                open_concerns: 4,
                flags: vec!["rounds used up with concerns open".into(), "the writer left to-dos undone".into()],
                updated_at: "2026-10-05T23:00:00Z".into(),
                prompt_tokens: 1_240_000,
                ..run("business/harbour-budget", "The harbour's budget, and who pays for the second crane", "success")
            },
        ),
        (
            StoryHolder::Nobody,
            ListedRun {
                rounds: 0,
                error: Some(
                    "the model server at 127.0.0.1:1234 does not answer (connection refused); start it, then reopen \
                     the story"
                        .into(),
                ),
                ..run("culture/opera", "A small opera house goes on", "failed")
            },
        ),
        (StoryHolder::Ours, open("local-news/bridge", "The bridge stays closed")),
        (
            StoryHolder::OursSoon,
            ListedRun { rounds: 0, prompt_tokens: 0, completion_tokens: 0, ..open("sport/cup", "Cup final") },
        ),
        (StoryHolder::Others, open("science/公園の話", "公園の話と都市の緑")),
        (StoryHolder::Nobody, open("world/cafe\u{301}-society", "Cafe\u{301} society returns")),
        (
            StoryHolder::Nobody,
            ListedRun {
                paused: true, priority: Priority::Low, ..open("world/shalom", "שלום עולם, حديقة")
            },
        ),
        (
            StoryHolder::Nobody,
            ListedRun {
                open_concerns: 0,
                updated_at: "2026-10-01T12:00:00Z".into(),
                ..run("sport/rowing", "Rowing", "success")
            },
        ),
        (
            StoryHolder::Nobody,
            ListedRun {
                signed_by: Some("Ada Quill".into()),
                open_concerns: 0,
                updated_at: "2024-10-01T12:00:00Z".into(),
                ..run(&format!("archive/{}", "x".repeat(300)), "A slug of three hundred characters", "success")
            },
        ),
    ];
    let mut model = empty();
    model
        .desk
        .set(rows.into_iter().zip(1..).map(|((hands, run), key)| DeskRow::new(RunKey(key), run, hands)).collect());
    model
}

pub(crate) fn noticed(mut model: Model) -> Model {
    model.warn(
        "The article cannot be saved to /media/stick/park.md: there is no room left on the device. Choose another folder, or make \
         room, then save again; the article itself is safe in the database.",
    );
    model
}

/// Several messages since the last key, a warning among them.
pub(crate) fn said_much(mut model: Model) -> Model {
    model.say("desk/park waits for you");
    for _ in 0..3 {
        model = noticed(model);
    }
    model.say("city/water is finished");
    model
}

/// Every story under a title as newspapers have them, of sixty characters.
pub(crate) fn long_titles(mut model: Model) -> Model {
    let titles = [
        "Council approves 2.48 million dollar renovation of the park",
        "Who pays for the second crane is left open, harbour says so",
    ];
    let rows = model.desk.all().iter().zip(titles.iter().cycle()).map(|(row, title)| {
        let run = ListedRun { title: (*title).into(), ..row.run.clone() };
        DeskRow::new(row.key, run, row.hands)
    });
    let rows = rows.collect();
    model.desk.set(rows);
    model
}
