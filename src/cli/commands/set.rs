//! `copydesk set`: what an editor says of a story beside its text: pause, priority, deadline, embargo, editor.

use clap::builder::TypedValueParser;

use crate::cli::intake::{story::when, words::one_of};
use crate::cli::prelude::*;
use crate::editorial::distribution::is_embargoed;
use crate::newsroom::{ListedRun, Priority, local_minute};
use crate::ports::{Stories as _, StoryChange};

/// Most characters of an editor's name.
const LONGEST_NAME: usize = 80;

#[derive(Debug, Args)]
#[group(required = true, multiple = true, id = "changes")]
struct Changes {
    /// Put the story aside: resume skips it.
    #[arg(long, conflicts_with = "unpause")]
    pause: bool,
    /// End its pause.
    #[arg(long)]
    unpause: bool,
    /// How urgent it is: the most urgent is worked on first.
    #[arg(long, value_name = "LEVEL", value_parser = priorities())]
    priority: Option<Priority>,
    /// When it is due, in local time: 18:00, "tomorrow 18:00", "2026-10-06 18:00", 2026-10-06, +2h, +3d; or none.
    #[arg(long, value_name = "WHEN")]
    deadline: Option<String>,
    /// The time before which nothing of it is exported or published, written as for --deadline; or none.
    #[arg(long, value_name = "WHEN")]
    embargo: Option<String>,
    /// Who has it, as in `editor` of their configuration; or none.
    #[arg(long, value_name = "NAME")]
    editor: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct SetArgs {
    /// channel/slug, or a slug.
    story: String,
    #[command(flatten)]
    changes: Changes,
}

/// Reads how urgent a story is.
pub(crate) fn priorities() -> impl TypedValueParser<Value = Priority> {
    one_of([Priority::High, Priority::Normal, Priority::Low], Priority::name)
}

/// Makes the changes one after the other. None is made if a time cannot be read.
pub(crate) async fn set(config: Option<&Path>, arguments: SetArgs) -> Result<Exit> {
    let Changes { pause, unpause, priority, deadline, embargo, editor } = arguments.changes;
    let settings = settings::load(config)?;
    let deadline = deadline.as_deref().map(when).transpose()?;
    let embargo = embargo.as_deref().map(when).transpose()?;
    let store = wiring::store(&settings)?;
    let (key, _, current) = story::story(&store, &arguments.story).await?;
    let (by, now) = (settings.editor.as_str(), clock::now());
    if pause || unpause {
        store.change(&key, StoryChange::Paused(pause), by, &now).await?;
        headless::message(&paused(&key, &current, pause));
    }
    if let Some(priority) = priority {
        store.change(&key, StoryChange::Priority(priority), by, &now).await?;
        headless::message(&if current.priority == priority {
            format!("{key} already has {} priority.", priority.name())
        } else {
            format!("{key} now has {} priority; it had {}.", priority.name(), current.priority.name())
        });
    }
    if let Some(due) = deadline {
        store.change(&key, StoryChange::Due(due.clone()), by, &now).await?;
        headless::message(&match due {
            Some(due) => format!("{key} is due {}.", local_minute(&due)),
            None => format!("{key} has no deadline."),
        });
    }
    if let Some(until) = embargo {
        store.change(&key, StoryChange::Embargo(until.clone()), by, &now).await?;
        headless::message(&match until {
            Some(until) if is_embargoed(&until, SystemClock.now()) => {
                format!("{key} is under embargo until {}.", local_minute(&until))
            }
            Some(_) => format!("{key}: that time has passed, so nothing is held back."),
            None => format!("{key} is under no embargo."),
        });
    }
    if let Some(name) = editor {
        let name = sanitise::excerpt(&name, LONGEST_NAME);
        let editor = (!sanitise::is_blank(&name) && !name.eq_ignore_ascii_case("none")).then_some(name);
        store.change(&key, StoryChange::Editor(editor.clone()), by, &now).await?;
        headless::message(&match editor {
            Some(editor) => format!("{key} is now with {editor}."),
            None => format!("{key} is with nobody now."),
        });
    }
    Ok(Exit::Fine)
}

fn paused(key: &StoryKey, current: &ListedRun, paused: bool) -> String {
    match (current.paused, paused) {
        (true, true) => format!("{key} is paused already."),
        (false, false) => format!("{key} is not paused."),
        (false, true) => format!("{key} is paused. `copydesk set {key} --unpause` ends the pause."),
        (true, false) => format!("{key} is no longer paused. `copydesk resume` resumes it."),
    }
}
