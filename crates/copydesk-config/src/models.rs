//! `article_generation.agents`: the models, and the fields in which their servers differ from OpenAI's.

use serde::{Deserialize, Deserializer, de::Error};
use serde_json::{Map, Value};
use serde_yaml::Mapping;

use super::{
    Endpoint, Secret,
    fields::{nullable, number, read, seconds, take, whole},
};
use copydesk_newsroom::{Agent, Specialist};

/// How a server is asked for JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ResponseFormat {
    /// OpenAI's form: `response_format` of type `json_schema`.
    JsonSchema,
    /// llama-cpp-python's form: type `json_object` with the schema beside it.
    JsonObject,
    /// In the prompt alone.
    None,
}

/// One agent's model (docs/reference/contract.md).
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelSettings {
    /// The model's name as the server knows it.
    pub model: String,
    /// The server.
    #[serde(rename = "api_base")]
    pub endpoint: Endpoint,
    /// Its key.
    pub api_key: Secret,
    /// Tokens that the model can see at once.
    #[serde(deserialize_with = "whole::<256, 100_000_000, _, _>")]
    pub context_window: u64,
    /// Most tokens of an answer.
    #[serde(deserialize_with = "whole::<1, 10_000_000, _, _>")]
    pub max_tokens: u64,
    /// Sampling temperature.
    #[serde(deserialize_with = "number::<2, _>")]
    pub temperature: f64,
    /// Per cent of the context window that a prompt may fill.
    #[serde(deserialize_with = "whole::<1, 100, _, _>")]
    pub context_window_threshold: u64,
    /// Attempts after the first.
    #[serde(deserialize_with = "whole::<0, 20, _, _>")]
    pub max_retries: u32,
    /// Seconds between attempts.
    #[serde(deserialize_with = "number::<600, _>")]
    pub retry_delay: f64,
    /// Seconds that one call may take.
    #[serde(deserialize_with = "seconds")]
    pub timeout_seconds: f64,
    /// How JSON is asked for.
    pub response_format: ResponseFormat,
    /// The fields of its requests, in the form that its server takes.
    #[serde(deserialize_with = "request")]
    pub request: RequestFields,
    /// The form in which it is told of tools. Only the Reporter's section has this key, `tool_calls`.
    #[serde(skip)]
    pub tools: ToolForm,
}

/// How a model is told of tools, and says which it calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolForm {
    /// By the fields `tools` and `tool_calls` of `OpenAI`'s protocol.
    #[default]
    Native,
    /// By a description in the prompt and an answer of one JSON object, for servers without these fields.
    Json,
}

impl ModelSettings {
    /// Most tokens of a prompt: `context_window * context_window_threshold / 100`, and no more than leaves room for the longest answer. For
    /// that half of the window is enough.
    pub fn prompt_limit(&self) -> u64 {
        let share = self.context_window.saturating_mul(self.context_window_threshold) / 100;
        share.min(self.context_window - self.max_tokens.min(self.context_window / 2))
    }
}

/// The models of the contract's agents.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Models {
    #[serde(rename = "writer_llm")]
    pub writer: ModelSettings,
    /// None if the proof reviews alone.
    #[serde(rename = "article_review_llm", deserialize_with = "nullable")]
    pub article_review: Option<ModelSettings>,
    #[serde(rename = "concern_mapping_llm")]
    pub concern_mapping: ModelSettings,
    pub specialists: SpecialistModels,
    /// None if research is off.
    #[serde(rename = "reporter_llm", deserialize_with = "reporter")]
    pub reporter: Option<ModelSettings>,
    /// None if rules do the Editor's work.
    #[serde(rename = "editor_llm", deserialize_with = "nullable")]
    pub editor: Option<ModelSettings>,
    /// None if the Publisher's notes come from rules alone.
    #[serde(rename = "publisher_llm", deserialize_with = "nullable")]
    pub publisher: Option<ModelSettings>,
}

/// The models of the specialists.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpecialistModels {
    #[serde(rename = "fact_check_llm")]
    pub fact_check: ModelSettings,
    #[serde(rename = "evidence_finding_llm")]
    pub evidence_finding: ModelSettings,
    #[serde(rename = "opinion_llm")]
    pub opinion: ModelSettings,
    #[serde(rename = "attribution_llm")]
    pub attribution: ModelSettings,
    #[serde(rename = "style_review_llm")]
    pub style_review: ModelSettings,
}

/// Reads the Reporter's model, whose section has one key more.
fn reporter<'de, D: Deserializer<'de>>(value: D) -> Result<Option<ModelSettings>, D::Error> {
    let Some(mut keys) = nullable::<_, Mapping>(value)? else { return Ok(None) };
    let tools = take(&mut keys, "tool_calls")?;
    Ok(Some(ModelSettings { tools, ..read(keys)? }))
}

/// The models of [`SECTIONS`], to be read or to be changed.
macro_rules! in_order {
    ($models:expr, $borrowed:ident, $($borrow:tt)+) => {
        [
            Some($($borrow)+ $models.writer),
            $models.article_review.$borrowed(),
            Some($($borrow)+ $models.concern_mapping),
            Some($($borrow)+ $models.specialists.fact_check),
            Some($($borrow)+ $models.specialists.evidence_finding),
            Some($($borrow)+ $models.specialists.opinion),
            Some($($borrow)+ $models.specialists.attribution),
            Some($($borrow)+ $models.specialists.style_review),
            $models.reporter.$borrowed(),
            $models.editor.$borrowed(),
            $models.publisher.$borrowed(),
        ]
    };
}

impl Models {
    /// The model of an agent; none for the search service.
    pub fn of(&self, agent: Agent) -> Option<&ModelSettings> {
        let place = SECTIONS.iter().position(|(_, of)| *of == agent)?;
        in_order!(self, as_ref, &).into_iter().nth(place)?
    }

    /// Those that there are.
    pub fn all(&self) -> impl Iterator<Item = &ModelSettings> {
        self.sections().map(|(_, model)| model)
    }

    /// The models with the keys of their sections below `agents`.
    pub fn sections(&self) -> impl Iterator<Item = (&'static str, &ModelSettings)> {
        SECTIONS.into_iter().zip(in_order!(self, as_ref, &)).filter_map(|((section, _), model)| Some((section, model?)))
    }

    /// The same, to be changed.
    pub(super) fn sections_mut(&mut self) -> impl Iterator<Item = (&'static str, &mut ModelSettings)> {
        let models = in_order!(self, as_mut, &mut);
        SECTIONS.into_iter().zip(models).filter_map(|((section, _), model)| Some((section, model?)))
    }
}

/// The sections of the agents' models, below `article_generation.agents`.
pub const SECTIONS: [(&str, Agent); 11] = [
    ("writer_llm", Agent::Writer),
    ("article_review_llm", Agent::ArticleReview),
    ("concern_mapping_llm", Agent::ConcernMapping),
    ("specialists.fact_check_llm", Agent::Specialist(Specialist::FactCheck)),
    ("specialists.evidence_finding_llm", Agent::Specialist(Specialist::EvidenceFinding)),
    ("specialists.opinion_llm", Agent::Specialist(Specialist::Opinion)),
    ("specialists.attribution_llm", Agent::Specialist(Specialist::Attribution)),
    ("specialists.style_review_llm", Agent::Specialist(Specialist::StyleReview)),
    ("reporter_llm", Agent::Reporter),
    ("editor_llm", Agent::Editor),
    ("publisher_llm", Agent::Publisher),
];

/// The fields that the program sets itself: `extra` cannot have them.
const OWN_FIELDS: [&str; 7] =
    ["model", "messages", "stream", "stream_options", "tools", "tool_choice", "response_format"];

/// The name that most servers know for the limit of an answer.
const MAX_TOKENS: &str = "max_tokens";

/// `request`: the fields of a request, as one model's server takes them.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestFields {
    /// The name of the field that bounds the answer.
    #[serde(deserialize_with = "limit_field")]
    pub max_tokens: String,
    /// Whether `stream_options` asks for the tokens that were used.
    pub stream_options: bool,
    /// Whether a system message goes as one; otherwise its text goes before the user's.
    pub system_role: bool,
    /// Fields that join the body, or replace those that it has; one that is null is left out.
    #[serde(deserialize_with = "extra_fields")]
    pub extra: Map<String, Value>,
}

fn limit_field<'de, D: Deserializer<'de>>(value: D) -> Result<String, D::Error> {
    let field = nullable(value)?.unwrap_or_else(|| MAX_TOKENS.to_owned());
    if OWN_FIELDS.contains(&field.as_str()) {
        return Err(D::Error::custom("must be null or max_completion_tokens; the program sets this field itself"));
    }
    Ok(field)
}

fn extra_fields<'de, D: Deserializer<'de>>(value: D) -> Result<Map<String, Value>, D::Error> {
    let fields: Map<String, Value> = nullable(value)?.unwrap_or_default();
    // A server that does not stream may be asked without the field.
    let unstreamed = |field: &str| field == "stream" && fields.get(field).is_some_and(Value::is_null);
    match OWN_FIELDS.iter().find(|field| fields.contains_key(**field) && !unstreamed(field)) {
        Some(field) => Err(D::Error::custom(format!(".{field}: must go; the program sets this field itself"))),
        None => Ok(fields),
    }
}

/// Reads `request`; null is the usual fields.
fn request<'de, D: Deserializer<'de>>(value: D) -> Result<RequestFields, D::Error> {
    let fields: RequestFields = nullable(value)?.unwrap_or_default();
    if fields.extra.contains_key(&fields.max_tokens) {
        let field = &fields.max_tokens;
        return Err(D::Error::custom(format!(".extra.{field}: must go; the program sets this field itself")));
    }
    Ok(fields)
}

impl Default for RequestFields {
    /// As OpenAI's server and most others take them.
    fn default() -> Self {
        Self { max_tokens: MAX_TOKENS.to_owned(), stream_options: true, system_role: true, extra: Map::new() }
    }
}

impl RequestFields {
    /// One line that differs if a field does.
    pub fn text(&self) -> String {
        let extra = serde_json::Value::Object(self.extra.clone());
        format!("{} {} {} {extra}", self.max_tokens, self.stream_options, self.system_role)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use super::*;
    use crate::{ConfigError, Settings, TEMPLATE, load};

    fn read(request: &str) -> Result<Settings, ConfigError> {
        let yaml = TEMPLATE.replacen("      request: null", &format!("      request: {request}"), 1);
        load(Path::new("config/config.yaml"), &yaml, Path::new("/desk"))
    }

    fn problems(request: &str) -> Vec<String> {
        let error = read(request).unwrap_err();
        error
            .problems
            .into_iter()
            .map(|p| format!("{} {}", p.key.rsplit_once("local.").unwrap().1, p.message))
            .collect()
    }

    #[test]
    fn a_server_that_wants_nothing_else_gets_the_usual_fields() {
        assert_eq!(read("null").unwrap().article_generation.models.writer.request, RequestFields::default());
    }

    #[test]
    fn a_server_gets_the_fields_that_it_wants() {
        let settings = read(
            "{max_tokens: max_completion_tokens, stream_options: false, system_role: false, \
             extra: {top_p: 0.9, seed: 7, chat_template_kwargs: {enable_thinking: false}, stop: [a, b], temperature: null, stream: null}}",
        );
        let models = settings.unwrap().article_generation.models;
        let extra = json!({"top_p": 0.9, "seed": 7, "chat_template_kwargs": {"enable_thinking": false},
            "stop": ["a", "b"], "temperature": null, "stream": null});
        let Value::Object(extra) = extra else { unreachable!() };
        let max_tokens = "max_completion_tokens".to_owned();
        assert_eq!(
            models.writer.request,
            RequestFields { max_tokens, stream_options: false, system_role: false, extra }
        );
        assert_eq!(models.article_review.unwrap().request, models.writer.request, "they share a model");
    }

    #[test]
    fn each_key_that_is_wrong_or_missing_is_told() {
        let usual = [("max_tokens", "null"), ("stream_options", "true"), ("system_role", "true"), ("extra", "null")];
        let with = |key: &str, to: &str| {
            let keys = usual.map(|(usual, value)| format!("{usual}: {}", if usual == key { to } else { value }));
            problems(&format!("{{{}}}", keys.join(", "))).join("\n")
        };
        let own = "the program sets this field itself";
        assert_eq!(
            with("max_tokens", "stream"),
            format!("request.max_tokens must be null or max_completion_tokens; {own}")
        );
        for field in ["stream", "model", "max_tokens"] {
            let told = with("extra", &format!("{{{field}: x}}"));
            assert_eq!(told, format!("request.extra.{field} must go; {own}"));
        }
        assert_eq!(with("stream_options", "maybe"), "request.stream_options must be true or false");
        assert_eq!(
            with("system_role", "true, system_roles: true"),
            "request.system_roles is not a key of this section; its keys are max_tokens, stream_options, system_role, extra"
        );
        assert_eq!(with("extra", "[top_p]"), "request.extra must be a section with its keys");
        for odd in ["{7: a}", "{top_p: !odd 1}"] {
            assert!(with("extra", odd).starts_with("request.extra"), "{odd}");
        }
        assert_eq!(problems("{max_tokens: null}"), ["request.stream_options is missing"]);
        assert_eq!(problems("3"), ["request must be null or a section with its keys"]);
    }
}
