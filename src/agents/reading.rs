//! Reading a model's answer: strictly, after taking off what models like to wrap around it.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::control_tokens;
use crate::{ports::Schema, text::sanitise};

/// An answer that breaks its contract.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the answer cannot be used: {0}")]
pub struct UnusableAnswer(String);

impl UnusableAnswer {
    pub(super) fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

/// An answer's text, with quotations as the material has them.
pub(super) fn plain(text: &str) -> String {
    control_tokens::mended(&sanitise::answer(text)).into_owned()
}

/// Reads JSON of the form `T`.
pub(super) fn json<T: DeserializeOwned>(text: &str) -> Result<T, UnusableAnswer> {
    let text = plain(text);
    if text.is_empty() {
        return Err(UnusableAnswer::new("it is empty"));
    }
    serde_json::from_str(&text).map_err(|error| {
        UnusableAnswer::new(sanitise::excerpt(&format!("it is not the JSON that was asked for: {error}"), 300))
    })
}

/// A text that must not be empty.
pub(super) fn required(field: &str, text: &str) -> Result<String, UnusableAnswer> {
    if sanitise::is_blank(text) {
        Err(UnusableAnswer::new(format!("{field} is empty")))
    } else {
        Ok(text.trim().to_owned())
    }
}

/// The JSON schema of `T`, with every field required and no references, as strict servers want it.
pub(super) fn schema<T: JsonSchema>(name: &'static str) -> Schema {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    tighten(&mut schema);
    Schema { name, schema }
}

/// Allows these numbers alone at a place of the schema.
pub(super) fn only(schema: &mut Schema, place: &str, numbers: &[u32]) {
    if let Some(Value::Object(place)) = schema.schema.pointer_mut(place) {
        place.insert("enum".into(), serde_json::json!(numbers));
    }
}

/// Allows at most so many items in the array at a place of the schema.
pub(super) fn at_most(schema: &mut Schema, place: &str, items: usize) {
    if let Some(Value::Object(place)) = schema.schema.pointer_mut(place) {
        place.insert("maxItems".into(), items.into());
    }
}

/// Requires every property, drops what only documents, and says "this or null" with `anyOf`: llama.cpp's grammar ignores
/// what stands beside a list of types.
fn tighten(schema: &mut Value) {
    if let Value::Array(items) = schema {
        items.iter_mut().for_each(tighten);
    }
    let Value::Object(fields) = schema else { return };
    if let Some(Value::Array(types)) = fields.get("type").cloned() {
        let choices = types.into_iter().map(|kind| {
            let mut choice = if kind == "null" { serde_json::Map::new() } else { fields.clone() };
            choice.insert("type".into(), kind);
            Value::Object(choice)
        });
        let any_of: Vec<Value> = choices.collect();
        fields.clear();
        fields.insert("anyOf".into(), Value::Array(any_of));
    }
    // An enum whose variants are documented comes as a choice of constants.
    if let Some(Value::Array(choices)) = fields.get("oneOf") {
        let constants: Option<Vec<Value>> = choices.iter().map(|choice| choice.get("const").cloned()).collect();
        if let Some(constants) = constants {
            fields.remove("oneOf");
            fields.insert("type".into(), Value::from("string"));
            fields.insert("enum".into(), Value::Array(constants));
        }
    }
    for noise in ["title", "description", "format", "default", "minimum"] {
        // A property may itself be called "description": that is an object, and stays.
        if fields.get(noise).is_some_and(|value| !value.is_object()) {
            fields.remove(noise);
        }
    }
    if let Some(Value::Object(properties)) = fields.get("properties") {
        let names: Vec<Value> = properties.keys().cloned().map(Value::String).collect();
        fields.insert("required".into(), Value::Array(names));
    }
    fields.values_mut().for_each(tighten);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::newsroom::{ArticleResponse, Verdict};

    #[test]
    fn a_schema_requires_every_field_and_allows_no_other() {
        let schema = schema::<Verdict>("verdict").schema;
        assert_eq!(schema["additionalProperties"], json!(false));
        assert_eq!(schema["required"].as_array().unwrap().len(), 7);
        assert_eq!(schema["properties"]["status"]["enum"], json!(["KEEP", "REWRITE", "REMOVE"]), "{schema}");
        let text_or_null = json!({"anyOf": [{"type": "string"}, {"type": "null"}]});
        assert_eq!(schema["properties"]["suggested_fix"], text_or_null, "{schema}");
        assert!(!schema.to_string().contains("$ref"), "{schema}");
        let article = super::schema::<ArticleResponse>("article").schema;
        assert_eq!(article["properties"]["description"]["type"], json!("string"));
    }
}
