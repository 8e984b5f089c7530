//! Reads a model's answer, for every agent. It takes off the wrapping that servers and models put around the answer, mends
//! text that is nearly JSON, and reads values in another case or type. The result keeps its type to the letter. The answer
//! itself is stored as it came, and reading it again gives the same notes on its changes.

mod bullets;
mod denials;
mod fitting;
mod forms;
mod items;
mod labelled;
mod listed;
mod meant;
mod names;
mod parsing;
mod prose;
mod scalars;
mod tagged;
mod texts;

use std::collections::HashMap;

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::Value;

pub(super) use bullets::bullets;
pub use parsing::ReadingNote;
pub(super) use prose::prose;
pub(super) use texts::is_placeholder;

use self::{
    fitting::Fitting,
    parsing::{Piece, has_names, pieces, readings, with_own_marks},
    texts::{has_end, is_refusal},
};
use super::control_tokens;
use crate::ports::Schema;
use copydesk_text::{
    pattern::TextPattern,
    sanitise,
    wrapping::{Unwrapped, Wrapping, unwrap, words_of},
};

/// The value of an answer, with the notes on changes to the answer before it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Read<T> {
    pub(super) value: T,
    pub(super) notes: Vec<ReadingNote>,
}

/// An answer that breaks its contract.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the answer cannot be used: {0}")]
pub struct UnusableAnswer(String);

impl UnusableAnswer {
    pub(super) fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }

    /// What is wrong with it, without saying that it cannot be used.
    pub(super) fn why(&self) -> &str {
        &self.0
    }
}

/// Returns an answer's text without the wrapping around it, with quotations as the material has them, and notes on the wrapping.
///
/// # Errors
/// [`UnusableAnswer`] if nothing is left.
pub(super) fn read_text(text: &str) -> Result<Read<String>, UnusableAnswer> {
    let Unwrapped { text, taken_off, .. } = unwrap(text);
    if sanitise::is_blank(&text) {
        return Err(UnusableAnswer::new(
            taken_off
                .first()
                .map_or_else(|| "it is empty".to_owned(), |wrapping| format!("it is empty beside {wrapping}")),
        ));
    }
    let notes = taken_off.into_iter().map(ReadingNote::Wrapped).collect();
    Ok(Read { value: control_tokens::mended(&text).into_owned(), notes })
}

/// Reads the numbered lines of an answer: `4. The council voted.` Each number has its line, and then the lines below it without a number.
/// The first line of a number counts.
///
/// # Errors
/// [`UnusableAnswer`] if there is none.
pub(super) fn numbered(text: &str) -> Result<HashMap<u32, Vec<String>>, UnusableAnswer> {
    let mut found: HashMap<u32, Vec<String>> = HashMap::new();
    let mut last = None;
    for line in read_text(text)?.value.lines().map(|line| line.trim_start_matches(['-', '*', ' ']).trim_end()) {
        let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number = line.get(..digits).and_then(|digits| digits.parse().ok());
        let rest = line.get(digits..).and_then(|rest| rest.strip_prefix(['.', ')', ':']));
        let said = match number.zip(rest) {
            Some((number, rest)) => {
                last = (!found.contains_key(&number)).then_some(number);
                rest.trim()
            }
            None => line,
        };
        // A whole sentence in brackets is one; a form in brackets that the model copied says nothing.
        let inner = said.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).filter(|inner| has_end(inner));
        let said = inner.unwrap_or(said);
        if let Some(number) = last.filter(|_| !said.is_empty() && !is_placeholder(said)) {
            found.entry(number).or_default().push(said.to_owned());
        }
    }
    if found.is_empty() { Err(UnusableAnswer::new("it has no numbered sentence")) } else { Ok(found) }
}

/// Whether a model writes that a sentence goes.
pub(super) fn is_out(said: &str) -> bool {
    said.trim_matches(['.', '*', '"', ' ']).eq_ignore_ascii_case("out")
}

/// Reads JSON of the form `T`.
///
/// # Errors
/// [`UnusableAnswer`] if nothing in the answer has that form; the message says how the longest piece of JSON breaks it.
pub(super) fn json<T: DeserializeOwned + JsonSchema>(text: &str) -> Result<T, UnusableAnswer> {
    read(text).map(|read| read.value)
}

/// The same, with the notes on changes to the answer.
pub(super) fn read<T: DeserializeOwned + JsonSchema>(raw: &str) -> Result<Read<T>, UnusableAnswer> {
    read_as(raw, &schema::<T>("answer"))
}

/// The notes on changes to an answer of the form `T` alone.
pub(super) fn notes<T: DeserializeOwned + JsonSchema>(raw: &str) -> Result<Vec<ReadingNote>, UnusableAnswer> {
    read::<T>(raw).map(|read| read.notes)
}

/// The same, by a schema that may allow less than the type.
pub(super) fn read_as<T: DeserializeOwned>(raw: &str, schema: &Schema) -> Result<Read<T>, UnusableAnswer> {
    let (whole, schema) = (schema, &schema.schema);
    if let Ok(value) = serde_json::from_str(&control_tokens::mended(sanitise::clean(raw).trim()))
        && let Ok((value, notes)) = fitted(value, schema)
    {
        return Ok(Read { value, notes });
    }
    let Read { value: text, mut notes } = read_text(raw)?;
    let text = unescaped(text);
    let keys = fitting::keys(schema);
    let pieces = pieces(&text);
    let mut found: Vec<(Piece<'_>, T, Vec<ReadingNote>)> = joined(&pieces, schema).into_iter().collect();
    let mut values: Vec<Value> = Vec::new();
    let mut flaw: Option<(usize, String)> = None;
    let alone = if found.is_empty() { pieces.as_slice() } else { &[] };
    for piece in alone {
        let mut fails = |why: String| {
            if flaw.as_ref().is_none_or(|(longest, _)| piece.text.len() > *longest) {
                flaw = Some((piece.text.len(), why));
            }
        };
        for (value, mut mended) in readings(*piece, &keys).unwrap_or_else(|why| {
            fails(why.to_string());
            Vec::new()
        }) {
            let mut fitting = Fitting::default();
            let value = fitting.fit(value, schema, "answer");
            match serde_json::from_value(value.clone()) {
                Ok(_) if fitting.lost_words && mended.iter().any(|note| matches!(note, ReadingNote::Mended(_))) => {
                    fails("quotation marks in its texts are not escaped".to_owned());
                }
                Ok(read) => {
                    mended.extend(fitting.notes);
                    found.push((*piece, read, mended));
                    values.push(value);
                    break;
                }
                Err(error) => fails(error.to_string()),
            }
        }
    }
    let answers = found.len();
    let differ = values.windows(2).any(|pair| matches!(pair, [one, other] if one != other));
    let places: Vec<Piece<'_>> = found.iter().map(|(piece, ..)| *piece).collect();
    if differ && !is_corrected(&text, &places) {
        return Err(UnusableAnswer::new(format!("it holds {answers} different answers, and one is wanted")));
    }
    let Some((piece, value, done)) = found.pop() else {
        // Braces and brackets may stand in the texts. JSON that cannot be read has its names in quotation marks.
        let is_json = pieces.iter().any(|piece| has_names(piece.text));
        for (form, value) in forms::values(&text, schema).take_while(|_| !is_json) {
            if let Ok((value, fitted)) = fitted(value, schema) {
                notes.push(ReadingNote::Form("the answer".to_owned(), form.to_owned()));
                notes.extend(fitted);
                return Ok(Read { value, notes });
            }
        }
        if let Some(Ok(mut read)) = with_own_marks(&text).map(|own| read_as(&own, whole)) {
            read.notes.insert(0, ReadingNote::Form("the answer".to_owned(), "JSON with other marks".to_owned()));
            return Ok(read);
        }
        let strictly =
            || serde_json::from_str::<Value>(&text).map_or_else(|error| error.to_string(), |_| String::new());
        let why = flaw.map_or_else(strictly, |(_, why)| why);
        return Err(UnusableAnswer::new(sanitise::excerpt(
            &format!("it is not the JSON that was asked for: {why}"),
            300,
        )));
    };
    let around = [
        Wrapping::Before(words_of(text.get(..piece.start).unwrap_or_default())),
        Wrapping::After(words_of(text.get(piece.start + piece.text.len()..).unwrap_or_default())),
    ];
    let said = |wrapping: &Wrapping| !matches!(wrapping, Wrapping::Before(0) | Wrapping::After(0));
    notes.extend(around.into_iter().filter(said).map(ReadingNote::Wrapped));
    notes.extend((answers > 1).then_some(if differ {
        ReadingNote::Corrected(answers)
    } else {
        ReadingNote::Several(answers)
    }));
    notes.extend(done);
    Ok(Read { value, notes })
}

/// Whether a text between the last two answers says that the last one counts. A choice between answers does not.
fn is_corrected(text: &str, answers: &[Piece<'_>]) -> bool {
    let [.., before, last] = answers else { return false };
    let between = text.get(before.start + before.text.len()..last.start).unwrap_or_default().to_lowercase();
    words_of(&between) > 1 && (LAST.is_match(&between) || !CHOICE.is_match(&between))
}

/// Matches a word that makes the last answer the one that counts, and one that offers a choice.
static LAST: TextPattern = TextPattern::new(r"\b(?:final|corrected|revised)\b");
static CHOICE: TextPattern = TextPattern::new(r"\b(?:or\b|alternat|another|option|version|variant|instead)");

/// JSON that stands in a JSON text, or was escaped as if it stood in one.
fn unescaped(text: String) -> String {
    let escaped = || format!("\"{}\"", text.replace('\n', "\\n").replace('\t', "\\t"));
    let read = serde_json::from_str::<String>(&text).ok();
    let read = read.or_else(|| text.contains("\\\"").then(|| serde_json::from_str(&escaped()).ok()).flatten());
    read.unwrap_or(text)
}

/// A value in the form of the schema, with notes on what was changed for it.
fn fitted<T: DeserializeOwned>(value: Value, schema: &Value) -> serde_json::Result<(T, Vec<ReadingNote>)> {
    let mut fitting = Fitting::default();
    let value = serde_json::from_value(fitting.fit(value, schema, "answer"))?;
    Ok((value, fitting.notes))
}

/// Objects one after the other that are the items of the list which was asked for.
fn joined<'t, T: DeserializeOwned>(pieces: &[Piece<'t>], schema: &Value) -> Option<(Piece<'t>, T, Vec<ReadingNote>)> {
    let (first, _) = pieces.split_first().filter(|(_, others)| !others.is_empty())?;
    let mut items = Vec::new();
    let mut notes = Vec::new();
    for piece in pieces {
        let (value, mended) = readings(*piece, &fitting::keys(schema)).ok()?.into_iter().next()?;
        if !fitting::is_item(&value, schema) && value.as_object().is_none_or(|map| map.len() > 2) {
            return None;
        }
        items.push(value);
        notes.extend(mended);
    }
    let (value, fitted) = fitted(Value::Array(items), schema).ok()?;
    notes.extend(fitted);
    Some((*first, value, notes))
}

/// A text that must not be empty.
pub(super) fn filled(field: &str, text: &str) -> Result<String, UnusableAnswer> {
    if sanitise::is_blank(text) {
        Err(UnusableAnswer::new(format!("{field} is empty")))
    } else {
        Ok(text.trim().to_owned())
    }
}

/// A model's text that must say something.
pub(super) fn required(field: &str, text: &str) -> Result<String, UnusableAnswer> {
    let text = filled(field, text)?;
    let told = |what: &str| Err(UnusableAnswer::new(format!("{field} is {what}: “{}”", sanitise::excerpt(&text, 60))));
    if is_placeholder(&text) {
        return told("a placeholder");
    }
    if is_refusal(&text) { told("a refusal") } else { Ok(text) }
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

/// Asks for so many items in the array at a place of the schema, one for each of these numbers. A small model that may stop after one does.
pub(super) fn one_each(schema: &mut Schema, place: &str, number: &str, numbers: &[u32]) {
    if let Some(Value::Object(array)) = schema.schema.pointer_mut(place) {
        array.insert("minItems".into(), numbers.len().into());
        array.insert("maxItems".into(), numbers.len().into());
    }
    only(schema, &format!("{place}/items/properties/{number}"), numbers);
}

/// Allows at most so many items in the array at a place of the schema.
pub(super) fn at_most(schema: &mut Schema, place: &str, items: usize) {
    if let Some(Value::Object(place)) = schema.schema.pointer_mut(place) {
        place.insert("maxItems".into(), items.into());
    }
}

/// Requires every property, drops keys that only document, and writes "this or null" with `anyOf`: llama.cpp's grammar
/// ignores the keys beside a list of types.
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
    use copydesk_newsroom::{ArticleResponse, ConcernMappingResult, Verdict};

    const ARTICLE: &str =
        r#"{"headline":"H","alternativeHeadline":"A","articleBody":"One.\n\nTwo with a } in it.","description":"D"}"#;

    fn article(text: &str) -> Result<ArticleResponse, String> {
        json(text).map_err(|error| error.to_string())
    }

    #[test]
    fn an_object_for_each_key_is_read() {
        let whole: ArticleResponse = serde_json::from_str(ARTICLE).unwrap();
        let keyed: Vec<serde_json::Value> = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(ARTICLE)
            .unwrap()
            .into_iter()
            .map(|(key, value)| json!({ "key": key, "value": value }))
            .collect();
        let held: serde_json::Map<String, serde_json::Value> = keyed
            .iter()
            .map(|pair| (pair["key"].as_str().unwrap().to_owned(), json!({ "value": pair["value"] })))
            .collect();
        for text in [serde_json::Value::Array(keyed).to_string(), serde_json::Value::Object(held).to_string()] {
            assert_eq!(article(&text), Ok(whole.clone()), "{text}");
        }
    }

    #[test]
    fn an_answer_is_read_through_whatever_is_around_it() {
        let whole: ArticleResponse = serde_json::from_str(ARTICLE).unwrap();
        for around in [
            "{}",
            "```json\n{}\n```",
            "~~~\n{}\n~~~",
            "Here is the article:\n\n```json\n{}\n```\n\nLet me know if it helps {smile}.",
            "Sure! {} I hope that helps.",
            "<think>\nA {draft}: {\"headline\": 1}\n</think>\n{}",
            "A thought without a beginning.</think>{}",
            "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>{}<|return|>",
            "assistant\n{}<|im_end|>",
            "{\"headline\": \"A first attempt\"}\nBetter:\n{}",
            "{}\n\nThat is: {}",
            "{\"article\": {}}",
            "[{}]",
            "```\n{\"example\": 1}\n```\n```json\n{}\n```",
            "{\"headline\": \"...\", \"alternativeHeadline\": \"\", \"articleBody\": \"\", \"description\": \"\"}\nMy answer:\n{}",
            "The schema is {\"type\": \"object\", \"properties\": {\"headline\": {\"type\": \"string\"}, \"alternativeHeadline\": {\"type\": \"string\"}, \"articleBody\": {\"type\": \"string\"}, \"description\": {\"type\": \"string\"}}}.\n\n{}",
            "The form is {\"headline\": \"G\", \"alternativeHeadline\": \"A\", \"articleBody\": \"B.\", \"description\": \"D\"}.\n\nWait, corrected:\n\n{}",
        ] {
            assert_eq!(article(&around.replace("{}", ARTICLE)).as_ref(), Ok(&whole), "{around}");
        }
        assert_eq!(article(&serde_json::to_string(ARTICLE).unwrap()), Ok(whole), "JSON in a JSON text");
    }

    #[test]
    fn no_word_of_a_text_is_lost_with_its_quotation_marks() {
        for body in ["He said \"Yes\", \"No\", and left.", "\"Yes\", he said.", "A \"b\" c, \"d\""] {
            let read = article(&ARTICLE.replacen("One.", body, 1)).unwrap();
            assert!(read.articleBody.starts_with(body), "{body}: {read:?}");
        }
        for body in ["\"One,\" she said.\n\nTwo.", "She said: \"Two.\""] {
            let text = format!(
                "{{\"headline\": \"H\", \"alternativeHeadline\": \"A\", \"articleBody\": \"\"\"{body}\"\"\", \"description\": \"D\"}}"
            );
            assert_eq!(article(&text).unwrap().articleBody, body);
        }
        let torn = ARTICLE.replacen("\"articleBody\":\"One.", "\"articleBody\":\"\"\"One.", 1);
        assert!(article(&torn).is_err() || article(&torn).unwrap().articleBody.contains("One."), "{torn}");
    }

    #[test]
    fn a_token_that_the_article_quotes_stays_in_it() {
        let body = "The tag </think> and <|im_end|> and ``` end it, and ‹|eot_id|› too.";
        let text = ARTICLE.replacen("One.", body, 1);
        for text in [text.clone(), format!("Here: {text}<|im_end|>"), text.replacen("\"}", "\",}", 1)] {
            let read = article(&text).unwrap().articleBody;
            assert!(read.starts_with("The tag </think> and <|im_end|> and ``` end it, and <|eot_id|> too."), "{read}");
        }
    }

    #[test]
    fn what_was_done_is_said_and_a_clean_answer_has_no_notes() {
        let notes = |text: &str| {
            let read = read::<ArticleResponse>(text).unwrap();
            read.notes.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(notes(ARTICLE), [""; 0]);
        let text = format!(
            "<think>So it is.</think>Here you are:\n```json\n{}\n```",
            ARTICLE.replacen("\"}", "\",\"x\":1,}", 1)
        );
        assert_eq!(
            notes(&text),
            [
                "taken off: 3 words of thinking",
                "taken off: 1 code fence",
                "taken off: 3 words before the answer",
                "JSON mended: trailing comma at line 1 column 111",
                "key dropped: x"
            ]
        );
    }

    #[test]
    fn an_answer_that_says_nothing_or_something_else_is_refused() {
        for (text, why) in [
            ("", "it is empty"),
            (" \n\u{200b}", "it is empty"),
            ("<think>Hm. So.</think>", "it is empty beside 2 words of thinking"),
            ("<think>{\"headline\":\"H\"}", "beside 1 word of thinking"),
            ("<|im_end|>", "it is empty beside 1 control token"),
            ("I cannot do that.", "it is not the JSON that was asked for: expected value"),
            ("{\"headline\": \"H\"}", "missing field `alternativeHeadline`"),
            ("{\"headline\": \"H", "EOF while parsing a string"),
            ("null", "not the JSON that was asked for"),
            (
                &ARTICLE.replacen("One.", "He said \"Yes\", \"No\", and left", 1).replacen(
                    "alternativeHeadline",
                    "other",
                    1,
                ),
                "not the JSON",
            ),
            (&format!("{ARTICLE} or {}", ARTICLE.replacen('H', "Another", 1)), "it holds 2 different answers"),
            (
                &format!("{ARTICLE}\n\nAlternatively, you may use:\n{}", ARTICLE.replacen('H', "Another", 1)),
                "it holds 2 different answers",
            ),
        ] {
            let said = article(text).unwrap_err();
            assert!(said.contains(why), "{text}: {said}");
        }
    }

    #[test]
    fn objects_one_after_the_other_are_the_items_of_the_list() {
        let one = |id: u32| {
            format!(
                r#"{{"concern_id":"{id}","concern_type":"Unsupported Fact","selected_agent":"fact-check","confidence":"High","reason":"r","why":0}}"#
            )
        };
        let ids = |text: &str| {
            let read: ConcernMappingResult = json(text).unwrap();
            read.mappings.iter().map(|mapping| mapping.concern_id).collect::<Vec<_>>()
        };
        assert_eq!(ids(&format!("{}\n{}", one(1), one(2))), [1, 2]);
        assert_eq!(ids(&format!("[{}, {}]", one(1), one(2))), [1, 2]);
        assert_eq!(ids(&one(3)), [3]);
    }

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
