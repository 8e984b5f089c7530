//! The actions that are possible now, with their keys, as the views show them. They are the hints of the footer and of
//! an empty desk, and the rows of the help page and of the palette.

use crate::app::hints::place;
use crate::app::{
    ACTIONS, Action, Group, HelpPage, Hint, KeyContext, Model, Palette, PaletteHit, PaletteRow, Screen, Ways, able,
    help, hints, listed, palette,
};
use crate::screens::live::choices::{sending_on, undoing};
use copydesk_newsroom::Wait;

pub fn offer(model: &Model) -> Ways {
    let here = place(model);
    // The palette lists the unusable actions, with the reason.
    let hints = |actions: &[Action], place: KeyContext| -> Vec<Hint> {
        actions.iter().filter_map(|action| hint(model, place, *action)).collect()
    };
    let begin = if model.desk.all().is_empty() { hints(hints::BEGIN, KeyContext::Desk) } else { Vec::new() };
    // On a walk through the review queue, the next story is offered on every page.
    let walks = model.walk.is_some() && model.overlays.is_empty();
    let first: &[Action] = if walks { listed![NextWaiting] } else { &[] };
    let hints = hints(&[first, &hints::wanted(model, here)].concat(), here);
    let mut ways = Ways { hints, begin, ..Ways::default() };
    if let Some(HelpPage { place, .. }) = model.on_top() {
        ways.help = help::help_rows(&model.keys, *place);
        (ways.help_here, ways.help_off) = help_here(model, *place);
    } else if let Some(Palette { query, .. }) = model.on_top() {
        ways.palette = palette::listed(model, query).into_iter().map(|hit| palette_row(model, hit)).collect();
    }
    ways
}

/// The hint for an action; `None` if it has no key in the context, or cannot be used now.
fn hint(model: &Model, place: KeyContext, action: Action) -> Option<Hint> {
    named(model, place, action).filter(|_| able::why_not(model, action).is_none())
}

/// An action with its first key in the context.
fn named(model: &Model, place: KeyContext, action: Action) -> Option<Hint> {
    let key = model.keys.keys_at(place, action).next()?;
    Some(Hint { action, keys: key.to_string(), title: title(model, action) })
}

/// The action's name in the footer: a page over the screen says what Enter and Esc do there.
fn title(model: &Model, action: Action) -> String {
    let own = model.overlays.last().into_iter().flat_map(|page| page.titles()).find(|(of, _)| *of == action);
    own.map_or_else(|| own_title(model, action).unwrap_or(action.title()).to_owned(), |(_, own)| own)
}

/// The title of an action now, if it differs from its usual title: the next place of a draft that leaves its gate.
fn own_title(model: &Model, action: Action) -> Option<&'static str> {
    let story = model.story.as_deref().filter(|_| model.screen == Screen::Story)?;
    let own = match action {
        Action::Continue => sending_on(story),
        Action::UndoDecision => undoing(story),
        Action::Feedback => (story.waits() == Some(Wait::Plan)).then_some("Questions"),
        _ => None,
    };
    own.filter(|said| *said != action.title())
}

fn palette_row(model: &Model, mut hit: PaletteHit) -> PaletteRow {
    let own = own_title(model, hit.row.action);
    if own.is_some() {
        // Marks the matched characters only if the searched title is shown.
        hit.matched.clear();
    }
    let keys = help::joined(model.keys.keys(hit.row.action).iter().copied());
    PaletteRow { title: own.unwrap_or(hit.row.title), keys, off: able::why_not(model, hit.row.action), hit }
}

/// The actions of the page below the help, the most useful first, each with its first key: those that can be used now, and the page's own that
/// cannot.
fn help_here(model: &Model, place: KeyContext) -> (Vec<Hint>, Vec<Hint>) {
    let wanted = hints::wanted(model, place);
    let own = ACTIONS.iter().filter(|row| row.is_at(place) && row.group != Group::Moving).map(|row| row.action);
    let others = own.filter(|action| !wanted.contains(action) && *action != Action::Help);
    let here = wanted.iter().copied().filter(|action| *action != Action::Help).chain(others);
    let (can, cannot): (Vec<Action>, Vec<Action>) = here.partition(|action| able::why_not(model, *action).is_none());
    let is_own = |action: &Action| action.row().places.contains(&place);
    let hints = |actions: Vec<Action>| actions.into_iter().filter_map(|action| named(model, place, action)).collect();
    (hints(can), hints(cannot.into_iter().filter(is_own).collect()))
}
