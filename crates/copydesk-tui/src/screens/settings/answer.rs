//! Reads the answer to the settings page from its fields.

use crate::{
    app::{messages::Request, trouble::Trouble},
    screens::{
        forms::{
            field_name::FieldName,
            model::{AfterAnswer, Form, FormAnswer},
        },
        settings::{
            model::{Asked, AskedModel, NewSettings, SeenSettings, ServerAt},
            update,
        },
    },
    widgets::theme::ThemeName,
};
use copydesk_text::sanitise;
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
        let at = ServerAt { address, key: key(&line(FieldName::ServerKey)) };
        return stay(Box::new(|model| update::list(model, at)));
    }
    let chosen = asked.model(form.chosen(FieldName::Model));
    if let Some(other) = chosen.filter(|model| !model.here && asked.before.local_only && !asked.agreed) {
        let host = other.host.clone();
        return stay(Box::new(move |model| update::ask_to_agree(model, &host)));
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
        return stay(Box::new(update::leave));
    }
    let key = chosen.and_then(|model| model.key.clone());
    let mut learned = Vec::new();
    if let Some(model) = after.model.as_ref().filter(|_| after.model != before.model) {
        // It is asked first what it can take.
        let Some(known) = asked.learned(model) else {
            let asked = AskedModel { at: model.clone(), key };
            return stay(Box::new(|model| update::measure(model, asked)));
        };
        learned = known.to_vec();
    }
    let new = NewSettings { before, after, key, learned, first: asked.first };
    Ok(FormAnswer::Ask(Box::new(Request::SaveSettings(Box::new(new)))))
}

fn key(text: &str) -> Option<copydesk_config::Secret> {
    (!text.is_empty()).then(|| copydesk_config::Secret::new(text.to_owned()))
}
