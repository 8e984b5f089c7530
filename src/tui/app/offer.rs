//! What can be done at this moment, as the views show it: the footer's hints, an empty desk's, the rows of the help
//! page and of the palette. Views show keys, they do not know them.

use crate::tui::app::{
    able,
    action::Place,
    actions::{ACTIONS, Action},
    frame::{footer::Hint, help::HelpLine, palette::PaletteLine},
    help, hints,
    keymap::KeyMap,
    model::{Model, Overlay},
    palette,
    place::place,
    view::Ways,
};

/// What can be done at this moment.
#[derive(Debug, Clone, Default)]
pub struct Offer {
    hints: Vec<Hint>,
    begin: Vec<Hint>,
    help: Vec<HelpLine>,
    palette: Vec<PaletteLine>,
}

impl Offer {
    /// As the views take it.
    #[must_use]
    pub fn ways(&self) -> Ways<'_> {
        Ways { hints: &self.hints, begin: &self.begin, help: &self.help, palette: &self.palette }
    }
}

/// What is offered now.
#[must_use]
pub fn offer(model: &Model) -> Offer {
    let here = place(model);
    let hints = |actions: &[Action], place: Place| -> Vec<Hint> {
        // What cannot be used now is in the palette, with the reason.
        actions.iter().filter_map(|action| hint(model, place, *action)).filter(|hint| hint.off.is_none()).collect()
    };
    let begin = if model.desk.all().is_empty() {
        hints(&[Action::SampleStory, Action::NewFromFile, Action::NewFromText, Action::NewByForm], Place::Desk)
    } else {
        Vec::new()
    };
    let (help, palette) = match model.overlays.last() {
        Some(Overlay::Help { place, .. }) => (help_lines(&model.keys, *place), Vec::new()),
        Some(Overlay::Palette { query, .. }) => (Vec::new(), palette_lines(model, query)),
        _ => (Vec::new(), Vec::new()),
    };
    // Whoever walks through the review queue goes on from any page of a story.
    let walks = model.walk.is_some() && model.overlays.is_empty();
    let first: &[Action] = if walks { &[Action::NextWaiting] } else { &[] };
    let wanted = [first, hints::wanted(model, here)].concat();
    Offer { hints: hints(&wanted, here), begin, help, palette }
}

/// A hint; none where the action has no key at the place.
fn hint(model: &Model, place: Place, action: Action) -> Option<Hint> {
    let key = model.keys.keys_at(place, action).next()?;
    Some(Hint { keys: key.to_string(), title: action.title().to_owned(), off: able::why_not(model, action) })
}

fn help_lines(keys: &KeyMap, place: Place) -> Vec<HelpLine> {
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
