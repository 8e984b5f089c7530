//! Reads the arguments of tools strictly: an unknown argument is refused, a text is cleaned. Also writes and describes answers.

use schemars::{JsonSchema, generate::SchemaSettings, transform::RestrictFormats};
use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::ToolRefusal;
use copydesk_newsroom::{ArticleResponse, Source};
use copydesk_text::sanitise;

/// Most bytes of all texts of a call.
pub(super) const MOST_BYTES: usize = 1_000_000;

/// Most entries of a list.
pub(super) const MOST_ENTRIES: usize = 50;

/// A source as a caller hands it over.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GivenSource {
    /// What the source is called, such as "Council minutes, 6 October". Answers name it so.
    #[serde(deserialize_with = "line")]
    pub(super) name: String,
    /// The source's whole text, plain or in Markdown.
    #[serde(deserialize_with = "text")]
    pub(super) text: String,
}

impl From<GivenSource> for Source {
    fn from(GivenSource { name, text }: GivenSource) -> Self {
        Self { name, text }
    }
}

/// A draft as a caller hands it over.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GivenText {
    /// The text to check, plain or in Markdown, without its headline.
    #[serde(deserialize_with = "text")]
    pub(super) text: String,
    /// The headline, if it is to be checked too.
    #[serde(default, deserialize_with = "line")]
    pub(super) headline: String,
}

impl GivenText {
    /// The text as an article's body.
    pub(super) fn article(self) -> Result<ArticleResponse, ToolRefusal> {
        Ok(ArticleResponse { headline: self.headline, ..body(filled(self.text, "text")?) })
    }
}

/// An article of a body alone.
pub(super) fn body(text: String) -> ArticleResponse {
    ArticleResponse { articleBody: text, ..ArticleResponse::default() }
}

/// The text, unless nothing of it can be seen.
pub(super) fn filled(text: String, name: &'static str) -> Result<String, ToolRefusal> {
    if sanitise::is_blank(&text) { Err(ToolRefusal::Empty(name)) } else { Ok(text) }
}

pub(super) fn sources(given: Vec<GivenSource>) -> Result<Vec<Source>, ToolRefusal> {
    if given.is_empty() {
        Err(ToolRefusal::Empty("sources"))
    } else {
        Ok(given.into_iter().map(Source::from).collect())
    }
}

/// Reads a text that keeps its lines.
pub(super) fn text<'de, D: Deserializer<'de>>(reader: D) -> Result<String, D::Error> {
    Ok(sanitise::clean(&String::deserialize(reader)?).into_owned())
}

/// Reads a text of one line.
pub(super) fn line<'de, D: Deserializer<'de>>(reader: D) -> Result<String, D::Error> {
    Ok(sanitise::one_line(&String::deserialize(reader)?))
}

/// Reads texts of one line.
pub(super) fn lines<'de, D: Deserializer<'de>>(reader: D) -> Result<Vec<String>, D::Error> {
    Ok(Vec::<String>::deserialize(reader)?.iter().map(|text| sanitise::one_line(text)).collect())
}

/// Reads a text of one line that may be missing or null; an empty one is none.
pub(super) fn line_or_none<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(reader)?;
    Ok(text.map(|text| sanitise::one_line(&text)).filter(|text| !text.is_empty()))
}

/// Reads arguments. Sizes are checked first.
pub(super) fn read<A: DeserializeOwned>(arguments: Value) -> Result<A, ToolRefusal> {
    let bytes = bytes(&arguments)?;
    if bytes > MOST_BYTES {
        return Err(ToolRefusal::TooLong { bytes, most: MOST_BYTES });
    }
    serde_json::from_value(arguments)
        .map_err(|error| ToolRefusal::Arguments(sanitise::excerpt(&error.to_string(), 300)))
}

/// Writes an answer.
pub(super) fn written(answer: &impl Serialize) -> Result<Value, ToolRefusal> {
    serde_json::to_value(answer).map_err(|_| ToolRefusal::BrokeOff)
}

/// The bytes of all texts in a value. JSON nests at most 128 deep.
fn bytes(value: &Value) -> Result<usize, ToolRefusal> {
    let sum = |values: &mut dyn Iterator<Item = &Value>| values.map(bytes).sum::<Result<usize, ToolRefusal>>();
    match value {
        Value::String(text) => Ok(text.len()),
        Value::Array(entries) if entries.len() > MOST_ENTRIES => {
            Err(ToolRefusal::TooMany { count: entries.len(), most: MOST_ENTRIES })
        }
        Value::Array(entries) => sum(&mut entries.iter()),
        Value::Object(fields) => sum(&mut fields.values()),
        _ => Ok(0),
    }
}

/// The JSON schema of arguments: an object, without references.
pub(super) fn schema<A: JsonSchema>() -> Value {
    without_references::<A>(SchemaSettings::draft2020_12())
}

/// The JSON schema of an answer: an object, without references.
pub(super) fn answer_schema<R: JsonSchema>() -> Value {
    without_references::<R>(SchemaSettings::draft2020_12().for_serialize())
}

fn without_references<T: JsonSchema>(settings: SchemaSettings) -> Value {
    // Formats such as `uint` are the library's own, and clients complain of them.
    let settings =
        settings.with(|settings| settings.inline_subschemas = true).with_transform(RestrictFormats::default());
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.remove("title");
    schema.to_value()
}
