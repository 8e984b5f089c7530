//! The actions that are possible now, with their keys, as the views show them: the hints of the footer and of an empty
//! desk, and the rows of the help page and of the palette.

use crate::tui::app::{
    able,
    action::KeyContext,
    actions::{ACTIONS, Action},
    frame::{footer::Hint, help::HelpLine, palette::PaletteLine},
    help, hints,
    keymap::KeyMap,
    model::{Model, Overlay},
    palette,
    place::place,
    view::Ways,
};

#[derive(Debug, Clone, Default)]
pub struct Offer {
    hints: Vec<Hint>,
    begin: Vec<Hint>,
    help: Vec<HelpLine>,
    palette: Vec<PaletteLine>,
}

impl Offer {
    #[must_use]
    pub fn ways(&self) -> Ways<'_> {
        Ways { hints: &self.hints, begin: &self.begin, help: &self.help, palette: &self.palette }
    }
}

#[must_use]
pub fn offer(model: &Model) -> Offer {
    let here = place(model);
    let hints = |actions: &[Action], place: KeyContext| -> Vec<Hint> {
        // The palette lists the unusable actions, with the reason.
        actions.iter().filter_map(|action| hint(model, place, *action)).filter(|hint| hint.off.is_none()).collect()
    };
    let begin = if model.desk.all().is_empty() {
        hints(&[Action::SampleStory, Action::NewFromFile, Action::NewFromText, Action::NewByForm], KeyContext::Desk)
    } else {
        Vec::new()
    };
    let (help, palette) = match model.overlays.last() {
        Some(Overlay::Help { place, .. }) => (help_lines(&model.keys, *place), Vec::new()),
        Some(Overlay::Palette { query, .. }) => (Vec::new(), palette_lines(model, query)),
        _ => (Vec::new(), Vec::new()),
    };
    // On a walk through the review queue, the next story is offered on every page.
    let walks = model.walk.is_some() && model.overlays.is_empty();
    let first: &[Action] = if walks { &[Action::NextWaiting] } else { &[] };
    let wanted = [first, hints::wanted(model, here)].concat();
    Offer { hints: hints(&wanted, here), begin, help, palette }
}

/// The hint for an action; `None` if it has no key in the context.
fn hint(model: &Model, place: KeyContext, action: Action) -> Option<Hint> {
    let key = model.keys.keys_at(place, action).next()?;
    Some(Hint { keys: key.to_string(), title: title(model, action).to_owned(), off: able::why_not(model, action) })
}

/// The action's name in the footer: an overlay says what Enter and Esc do there.
fn title(model: &Model, action: Action) -> &'static str {
    match (model.overlays.last(), action) {
        (Some(Overlay::Question(_)), Action::Confirm) => "Yes",
        (Some(Overlay::Question(_)), Action::Close) => "No",
        (Some(Overlay::Palette { .. }), Action::Confirm) => "Run",
        (Some(Overlay::Memory(_)), Action::Confirm) => "Open",
        (Some(Overlay::Search(_)), Action::Confirm) => "To the hits",
        (Some(Overlay::Palette { .. } | Overlay::Memory(_) | Overlay::Search(_)), Action::Cancel) => "Close",
        _ => action.title(),
    }
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
    palette::matches(query, ACTIONS)
        .into_iter()
        .filter_map(|found| {
            let row = ACTIONS.get(found.row)?;
            Some(PaletteLine {
                title: row.title.to_owned(),
                keys: joined(model.keys.keys(row.action).iter()),
                matched: found.title,
                off: able::why_not(model, row.action),
            })
        })
        .collect()
}

fn joined<K: ToString>(keys: impl Iterator<Item = K>) -> String {
    keys.map(|key| key.to_string()).collect::<Vec<_>>().join(" ")
}
