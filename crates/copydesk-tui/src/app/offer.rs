//! The actions that are possible now, with their keys, as the views show them. They are the hints of the footer and of
//! an empty desk, and the rows of the help page and of the palette.

use crate::{
    app::{
        able,
        action::{Group, KeyContext},
        actions::{ACTIONS, Action},
        frame::{help::HelpPage, palette::Palette},
        help, hints,
        keymap::KeyMap,
        model::{Model, Screen},
        palette,
        place::place,
        ways::{HelpLine, Hint, PaletteLine, Ways},
    },
    screens::live::choices::sending_on,
};
use copydesk_newsroom::Wait;

pub fn offer(model: &Model) -> Ways {
    let here = place(model);
    let hints = |actions: &[Action], place: KeyContext| -> Vec<Hint> {
        // The palette lists the unusable actions, with the reason.
        actions.iter().filter_map(|action| hint(model, place, *action)).filter(|hint| hint.off.is_none()).collect()
    };
    let begin = if model.desk.all().is_empty() {
        hints(
            &[
                Action::SampleStory,
                Action::WatchRecorded,
                Action::NewFromFile,
                Action::NewFromText,
                Action::NewByForm,
                Action::ConnectModel,
            ],
            KeyContext::Desk,
        )
    } else {
        Vec::new()
    };
    let (mut help, mut help_here, mut palette) = Default::default();
    if let Some(HelpPage { place, .. }) = model.on_top() {
        (help, help_here) = (help_lines(&model.keys, *place), self::help_here(model, *place));
    } else if let Some(Palette { query, .. }) = model.on_top() {
        palette = palette_lines(model, query);
    }
    // On a walk through the review queue, the next story is offered on every page.
    let walks = model.walk.is_some() && model.overlays.is_empty();
    let first: &[Action] = if walks { &[Action::NextWaiting] } else { &[] };
    let wanted = [first, hints::wanted(model, here)].concat();
    Ways { hints: hints(&wanted, here), begin, help, help_here, palette }
}

/// The hint for an action; `None` if it has no key in the context.
fn hint(model: &Model, place: KeyContext, action: Action) -> Option<Hint> {
    let key = model.keys.keys_at(place, action).next()?;
    Some(Hint { action, keys: key.to_string(), title: title(model, action), off: able::why_not(model, action) })
}

/// The action's name in the footer: a page over the screen says what Enter and Esc do there.
fn title(model: &Model, action: Action) -> String {
    let own = model.overlays.last().and_then(|page| page.title(action));
    own.unwrap_or_else(|| own_title(model, action).unwrap_or(action.title()).to_owned())
}

/// The title of an action now, if it differs from its usual title: the next place of a draft that leaves its gate.
fn own_title(model: &Model, action: Action) -> Option<&'static str> {
    let story = model.story.as_deref().filter(|_| model.screen == Screen::Story)?;
    let own = match action {
        Action::Continue => sending_on(story),
        Action::Feedback => (story.waits() == Some(Wait::Plan)).then_some("Questions"),
        _ => None,
    };
    own.filter(|said| *said != action.title())
}

fn help_lines(keys: &KeyMap, place: KeyContext) -> Vec<HelpLine> {
    let line = |row: &help::HelpRow| HelpLine {
        group: row.row.group.title().to_owned(),
        keys: joined(row.keys.iter()),
        title: row.row.title.to_owned(),
        sentence: row.row.help.to_owned(),
    };
    help::help_rows(keys, place).iter().map(line).collect()
}

fn palette_lines(model: &Model, query: &str) -> Vec<PaletteLine> {
    palette::listed(model, query)
        .into_iter()
        .map(|(row, found)| {
            let own = own_title(model, row.action);
            PaletteLine {
                // Marks the matched characters only if the searched title is shown.
                matched: if own.is_some() { Vec::new() } else { found.title },
                title: own.unwrap_or(row.title).to_owned(),
                keys: joined(model.keys.keys(row.action).iter()),
                also: found.also,
                off: able::why_not(model, row.action),
            }
        })
        .collect()
}

/// The actions of the page below the help that can be used now, the most useful first, each with its first key.
fn help_here(model: &Model, place: KeyContext) -> Vec<Hint> {
    let wanted = hints::wanted(model, place);
    let own = ACTIONS.iter().filter(|row| row.is_at(place) && row.group != Group::Moving).map(|row| row.action);
    let others = own.filter(|action| !wanted.contains(action) && *action != Action::Help);
    let here = wanted.iter().copied().filter(|action| *action != Action::Help).chain(others);
    here.filter_map(|action| hint(model, place, action)).filter(|hint| hint.off.is_none()).collect()
}

fn joined<K: ToString>(keys: impl Iterator<Item = K>) -> String {
    keys.map(|key| key.to_string()).collect::<Vec<_>>().join(" ")
}
