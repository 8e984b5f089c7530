//! Names in the bodies of requests: hidden before they leave, looked for once more, and brought back in answers.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use reqwest::{Request, header::CONTENT_LENGTH};
use serde_json::Value;

use crate::{
    editorial::aliasing::Aliasing,
    newsroom::Answer,
    ports::{Occasion, Withheld},
};

/// Puts labels in the place of names in every text of a JSON body.
pub(super) fn hide(request: &mut Request, aliasing: &Aliasing) {
    let Some(bytes) = request.body().and_then(reqwest::Body::as_bytes) else { return };
    let Ok(mut body) = serde_json::from_slice::<Value>(bytes) else { return };
    hide_json(&mut body, aliasing);
    *request.body_mut() = Some(body.to_string().into());
    request.headers_mut().remove(CONTENT_LENGTH);
}

/// Refuses a request in which a hidden name stands, or which cannot be searched for one.
pub(super) fn check(request: &Request, occasion: &Occasion, aliasing: &Aliasing) -> Result<(), Withheld> {
    let host = request.url().host_str().unwrap_or_default();
    let address = percent_decode_str(request.url().as_str()).decode_utf8_lossy();
    if let Some(label) = aliasing.names(&address) {
        return Err(Withheld::Named { story: story(occasion), host: host.to_owned(), label: label.to_owned() });
    }
    match request.body().map(reqwest::Body::as_bytes) {
        None => Ok(()),
        Some(Some(body)) => check_body(body, host, occasion, aliasing),
        Some(None) => Err(Withheld::Opaque { story: story(occasion), host: host.to_owned() }),
    }
}

/// The same for a body alone.
pub(super) fn check_body(body: &[u8], host: &str, occasion: &Occasion, aliasing: &Aliasing) -> Result<(), Withheld> {
    match named_in(body, aliasing) {
        Ok(None) => Ok(()),
        Ok(Some(label)) => Err(Withheld::Named { story: story(occasion), host: host.to_owned(), label }),
        Err(NoText) => Err(Withheld::Opaque { story: story(occasion), host: host.to_owned() }),
    }
}

fn story(occasion: &Occasion) -> String {
    occasion.story.as_ref().map_or_else(|| "the story".to_owned(), ToString::to_string)
}

/// What cannot be read as text.
struct NoText;

/// The label of a person who is named in what is about to leave.
fn named_in(body: &[u8], aliasing: &Aliasing) -> Result<Option<String>, NoText> {
    let text = std::str::from_utf8(body).map_err(|_| NoText)?;
    // JSON is read: its escapes end words, or hide letters.
    let Ok(body) = serde_json::from_str::<Value>(text) else { return Ok(aliasing.names(text).map(str::to_owned)) };
    let mut found = None;
    look(&body, &mut |text| {
        found = found.take().or_else(|| aliasing.names(text).map(str::to_owned));
    });
    Ok(found)
}

/// Brings the names back in a model's answer.
pub(super) fn restore(mut answer: Answer, aliasing: &Aliasing) -> Answer {
    answer.text = aliasing.restored(&answer.text).into_owned();
    for call in &mut answer.calls {
        call.arguments = aliasing.restored(&call.arguments).into_owned();
    }
    answer
}

/// Puts labels in the place of names in JSON.
pub(crate) fn hide_json(value: &mut Value, aliasing: &Aliasing) {
    each_text(value, &|text| aliasing.hidden(text));
}

/// Brings the names back in JSON.
#[cfg(feature = "mcp")]
pub(crate) fn restore_json(value: &mut Value, aliasing: &Aliasing) {
    each_text(value, &|text| aliasing.restored(text));
}

fn each_text(value: &mut Value, change: &dyn Fn(&str) -> Cow<'_, str>) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(changed) = change(text) {
                *text = changed;
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| each_text(value, change)),
        Value::Object(fields) => {
            let renamed = fields.keys().any(|key| matches!(change(key), Cow::Owned(_)));
            if renamed {
                *fields =
                    std::mem::take(fields).into_iter().map(|(key, value)| (change(&key).into_owned(), value)).collect();
            }
            fields.values_mut().for_each(|value| each_text(value, change));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn look(value: &Value, see: &mut dyn FnMut(&str)) {
    match value {
        Value::String(text) => see(text),
        Value::Array(values) => values.iter().for_each(|value| look(value, see)),
        Value::Object(fields) => fields.iter().for_each(|(key, value)| {
            see(key);
            look(value, see);
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
