//! Reads the answer to the settings page from its fields.

use crate::{
    screens::{
        forms::{field_name::FieldName, model::Form},
        settings::model::{Asked, AskedModel, NewSettings, SeenSettings, ServerAt},
    },
    widgets::theme::ThemeName,
};
use copydesk_text::sanitise;
use strum::VariantArray as _;

pub(crate) enum SettingsAnswer {
    Save(Box<NewSettings>),
    /// Another server was named: its models are listed first.
    ListModels(ServerAt),
    /// The chosen model is on this other machine.
    Agree(String),
    /// The newly chosen model is asked first what it can take.
    Measure(AskedModel),
    /// Everything is as it was.
    Nothing,
}

/// The answer of the page; none if it lacks a name.
pub(crate) fn settings(form: &Form, asked: &Asked) -> Option<SettingsAnswer> {
    let line = |name| sanitise::one_line(&form.value(name)).trim().to_owned();
    let editor = line(FieldName::Name);
    if sanitise::is_blank(&editor) {
        return None;
    }
    let address = line(FieldName::Server);
    if !address.is_empty() {
        return Some(SettingsAnswer::ListModels(ServerAt { address, key: key(&line(FieldName::ServerKey)) }));
    }
    let chosen = asked.model(form.chosen(FieldName::Model));
    if let Some(other) = chosen.filter(|model| !model.here && asked.before.local_only && !asked.agreed) {
        return Some(SettingsAnswer::Agree(other.host.clone()));
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
        local_only: before.local_only && chosen.is_none_or(|model| model.here),
    };
    if after == before && !asked.first {
        return Some(SettingsAnswer::Nothing);
    }
    let key = chosen.and_then(|model| model.key.clone());
    let learned = match after.model.as_ref().filter(|_| after.model != before.model) {
        None => Vec::new(),
        Some(model) => match asked.learned(model) {
            Some(learned) => learned.to_vec(),
            None => return Some(SettingsAnswer::Measure(AskedModel { at: model.clone(), key })),
        },
    };
    Some(SettingsAnswer::Save(Box::new(NewSettings { before, after, key, learned, first: asked.first })))
}

fn key(text: &str) -> Option<copydesk_config::Secret> {
    (!text.is_empty()).then(|| copydesk_config::Secret::new(text.to_owned()))
}
