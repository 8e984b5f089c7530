//! Reads the answer to the settings page from its fields.

use crate::app::{AfterAnswer, Request, Trouble};
use crate::screens::forms::{FieldName, Form, FormAnswer};
use crate::screens::settings::model::TargetChange;
use crate::screens::settings::{Asked, NewSettings, SeenSettings, ServerAt, TargetChoice, targets, update};
use crate::widgets::ThemeName;
use copydesk_config::Secret;
use copydesk_newsroom::Disclosure;
use copydesk_text::{sanitise, spelling::HouseSpelling};
use strum::VariantArray as _;

/// The answer of the page.
pub(crate) fn settings(form: &Form, asked: &Asked) -> Result<FormAnswer, Trouble> {
    let stay = |then: AfterAnswer| Ok(FormAnswer::Stay(then));
    let line = |name| sanitise::one_line(&form.value(name)).trim().to_owned();
    let editor = line(FieldName::Name);
    if sanitise::is_blank(&editor) {
        return Err(Trouble::new("enter your name: your decisions carry it"));
    }
    let address = line(FieldName::Server);
    if !address.is_empty() {
        // Another server was named: its models are listed first.
        let key = Some(line(FieldName::ServerKey)).filter(|key| !key.is_empty()).map(Secret::new);
        let at = ServerAt { address, key };
        return stay(Box::new(|model| update::list(model, at)));
    }
    let chosen = asked.model(form.chosen(FieldName::Model));
    if let Some(other) = chosen.filter(|model| !model.here && asked.before.local_only && !asked.agreed) {
        let host = other.host.clone();
        return stay(Box::new(move |model| update::ask_to_agree(model, &host)));
    }
    let target = match TargetChoice::at(form.chosen(FieldName::Targets)) {
        TargetChoice::Keep => None,
        TargetChoice::Remove(place) => Some(TargetChange::Remove(place)),
        // It is described first.
        TargetChoice::Add(kind) => match &asked.target {
            Some(target) if target.at.kind() == kind => Some(TargetChange::Add(target.clone())),
            _ => return stay(Box::new(move |model| targets::describe(model, kind))),
        },
    };
    let goes_to = match &target {
        Some(TargetChange::Add(target)) => target.at.other_machine(),
        _ => None,
    };
    if let Some(host) = goes_to.clone().filter(|_| asked.before.local_only && !asked.agreed) {
        return stay(Box::new(move |model| update::ask_to_agree(model, &host)));
    }
    let typed = |name, before: &str| if form.has(name) { line(name) } else { before.to_owned() };
    let length = typed(FieldName::Length, &asked.before.length);
    if length != asked.before.length && !is_length(&length) {
        return Err(Trouble::new(format!("the length {length}: write a number of words, or two, such as 250-400")));
    }
    let is_on = |name, before: bool| if form.has(name) { form.chosen(name) == 0 } else { before };
    let before = asked.before.clone();
    let after = SeenSettings {
        file: before.file.clone(),
        editor,
        theme: ThemeName::VARIANTS.get(form.chosen(FieldName::Colours)).copied().unwrap_or(before.theme),
        mouse: is_on(FieldName::Mouse, before.mouse),
        bell: is_on(FieldName::Bell, before.bell),
        model: chosen.map(|model| model.at.clone()),
        local_only: before.local_only && chosen.is_none_or(|model| model.here) && goes_to.is_none(),
        length,
        style: listed(form, FieldName::Style, &asked.styles, before.style.clone()),
        channel: typed(FieldName::Channel, &before.channel),
        desk: typed(FieldName::Desk, &before.desk),
        spelling: listed(form, FieldName::Spelling, &HouseSpelling::ALL, before.spelling),
        disclosure: listed(form, FieldName::Notice, &Disclosure::ALL, before.disclosure),
        targets: before.targets.clone(),
    };
    if after == before && target.is_none() && !asked.first {
        return stay(Box::new(update::leave));
    }
    let key = chosen.and_then(|model| model.key.clone());
    let mut learned = Vec::new();
    if let Some(newly) = chosen.filter(|_| after.model != before.model) {
        // It is asked first what it can take.
        let Some(known) = asked.learned(&newly.at) else {
            let newly = newly.clone();
            return stay(Box::new(|model| update::measure(model, newly)));
        };
        learned = known.to_vec();
    }
    let new = NewSettings { before, after, key, learned, target, first: asked.first };
    Ok(FormAnswer::Ask(Box::new(Request::SaveSettings(Box::new(new)))))
}

/// Whether it is one count of words, or two with a hyphen between them.
fn is_length(text: &str) -> bool {
    let numbers: Vec<&str> = text.split('-').map(str::trim).collect();
    numbers.len() <= 2 && numbers.iter().all(|number| number.parse::<u32>().is_ok_and(|words| words > 0))
}

/// The chosen entry of a list that has these in this order; `before` if the form does not have the list.
fn listed<T: Clone>(form: &Form, name: FieldName, all: &[T], before: T) -> T {
    all.get(form.chosen(name)).filter(|_| form.has(name)).cloned().unwrap_or(before)
}
