//! A walk through the review queue: at a gate, on a flagged article, and asking why its flags may stand.

use crate::{
    app::{self, actions::Action, model::Model},
    screens::{
        desk::model::{DeskRow, StoryHolder},
        review::model::Walk,
        story::tabs::Tab,
    },
    testing::{
        demo_pages,
        demo_story::{self, story},
    },
};
use copydesk_newsroom::{Flag, Journal, Outcome, Publication, Step};

/// An article that is flagged twice and not signed.
fn flagged() -> Journal {
    let mut journal = Journal::new(demo_story::failed().opening);
    journal.opening.topic.optional_angle = Some("Who is hurt where the lamps are out?".into());
    journal.opening.settings.flags.sensitive.words = vec!["hurt".into()];
    for entry in demo_pages::to_be_signed().entries() {
        journal.push(entry.clone());
    }
    let flags = vec![Flag::SensitiveTopic, Flag::ToDosUndone];
    let publication = Publication { generated_at: "2026-10-06T12:07:00Z".into(), success: true, flags };
    copydesk_core::editorial::testing::add(&mut journal, Step::Publish, Outcome::Publication(publication));
    journal
}

fn walking(mut model: Model) -> Model {
    model.walk = model.story.as_ref().and_then(|open| model.desk.row(&open.run.story)).map(Walk::at);
    model
}

fn on_flagged() -> Model {
    let mut model = story(flagged(), Tab::Article);
    let Some(open) = &mut model.story else { return model };
    (open.run.state, open.run.waits) = (copydesk_newsroom::RunState::Succeeded, None);
    open.run.flags = vec!["a sensitive topic: “hurt”".into(), "the writer left to-dos undone".into()];
    open.article.lay(&open.journal, open.round);
    open.lay_signing();
    model.desk.merge(vec![DeskRow::new(open.key, open.run.clone(), StoryHolder::Nobody)]);
    walking(model)
}

pub(crate) fn screens() -> Vec<(&'static str, Model)> {
    let mut asked = on_flagged();
    app::perform::perform(&mut asked, Action::AcceptFlags);
    vec![
        ("review_at_a_gate", walking(story(demo_story::at_gate(), Tab::Concerns))),
        ("review_flagged", on_flagged()),
        ("form_accept_flags", asked),
    ]
}
