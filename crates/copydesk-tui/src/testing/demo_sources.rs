//! The page of sources for the snapshots, and a concern that goes to the Reporter.

use crate::{
    app::{actions::Action, model::Model, perform::perform},
    screens::story::tabs::{Pane, Tab},
    testing::demo_story::story,
};
use copydesk_core::editorial::testing::research_report::{researched, triaged};

/// The page with the row of that index selected.
fn sources(selected: isize) -> Model {
    let mut model = story(researched(), Tab::Sources);
    let open = model.story.as_mut().unwrap();
    open.sources_page.select(selected, &open.journal);
    model
}

fn doing(mut model: Model, action: Action) -> Model {
    perform(&mut model, action);
    model
}

pub(crate) fn screens() -> Vec<(&'static str, Model)> {
    let mut to_reporter = story(triaged(), Tab::Concerns);
    to_reporter.story.as_mut().unwrap().concerns.pane = Pane::Verdict;
    vec![
        ("sources", sources(3)),
        ("sources_text", doing(sources(3), Action::Open)),
        ("sources_research", sources(5)),
        ("form_add_source", doing(sources(0), Action::AddSource)),
        ("form_remove_source", doing(sources(2), Action::RemoveSource)),
        ("form_distrust_source", doing(sources(2), Action::DistrustSource)),
        ("form_send_reporter", doing(sources(0), Action::SendReporter)),
        ("concerns_to_reporter", to_reporter),
    ]
}
