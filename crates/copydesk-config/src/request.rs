//! `request`: the fields in which a model's server differs from OpenAI's.

use serde_json::{Map, Value};

use super::reader::Section;

/// The fields that the program sets itself: `extra` cannot have them.
const OWN_FIELDS: [&str; 7] =
    ["model", "messages", "stream", "stream_options", "tools", "tool_choice", "response_format"];

/// The name that most servers know for the limit of an answer.
const MAX_TOKENS: &str = "max_tokens";

/// The fields of a request, as one model's server takes them.
#[derive(Debug, Clone, PartialEq)]
pub struct RequestFields {
    /// The name of the field that bounds the answer.
    pub max_tokens: String,
    /// Whether `stream_options` asks for the tokens that were used.
    pub stream_options: bool,
    /// Whether a system message goes as one; otherwise its text goes before the user's.
    pub system_role: bool,
    /// Fields that join the body, or replace those that it has; one that is null is left out.
    pub extra: Map<String, Value>,
}

impl Default for RequestFields {
    /// As OpenAI's server and most others take them.
    fn default() -> Self {
        Self { max_tokens: MAX_TOKENS.to_owned(), stream_options: true, system_role: true, extra: Map::new() }
    }
}

impl RequestFields {
    /// One line that differs if a field does.
    #[must_use]
    pub fn text(&self) -> String {
        let extra = serde_json::Value::Object(self.extra.clone());
        format!("{} {} {} {extra}", self.max_tokens, self.stream_options, self.system_role)
    }
}

pub(super) fn read_request(model: &Section<'_>) -> RequestFields {
    let read = model.section_or_null("request", "the section of the fields that this server wants", |request| {
        let max_tokens = request.text_or_null("max_tokens", "the field that bounds an answer, max_completion_tokens,");
        let max_tokens = max_tokens.unwrap_or_else(|| MAX_TOKENS.to_owned());
        if OWN_FIELDS.contains(&max_tokens.as_str()) {
            request.problem(
                "max_tokens",
                "is a field that the program sets itself; null or max_completion_tokens belongs there",
            );
        }
        let extra = request.fields_or_null("extra", "the fields that join each request, such as {top_p: 0.9},");
        let is_own = |field: &String| OWN_FIELDS.contains(&field.as_str()) || *field == max_tokens;
        for field in extra.keys().filter(|field| is_own(field)) {
            request.problem(&format!("extra.{field}"), "is a field that the program sets itself; take it out");
        }
        RequestFields {
            stream_options: request.yes_or_no("stream_options", "whether the server takes the field stream_options"),
            system_role: request.yes_or_no("system_role", "whether the model takes a system message"),
            max_tokens,
            extra,
        }
    });
    read.unwrap_or_default()
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
        error.problems.into_iter().map(|p| format!("{} {}", p.key.rsplit_once("_llm.").unwrap().1, p.message)).collect()
    }

    #[test]
    fn a_server_that_wants_nothing_else_gets_the_usual_fields() {
        assert_eq!(read("null").unwrap().article_generation.models.writer.request, RequestFields::default());
    }

    #[test]
    fn a_server_gets_the_fields_that_it_wants() {
        let settings = read(
            "{max_tokens: max_completion_tokens, stream_options: false, system_role: false, \
             extra: {top_p: 0.9, seed: 7, chat_template_kwargs: {enable_thinking: false}, stop: [a, b], temperature: null}}",
        );
        let models = settings.unwrap().article_generation.models;
        let extra = json!({"top_p": 0.9, "seed": 7, "chat_template_kwargs": {"enable_thinking": false},
            "stop": ["a", "b"], "temperature": null});
        let Value::Object(extra) = extra else { unreachable!() };
        let max_tokens = "max_completion_tokens".to_owned();
        assert_eq!(
            models.writer.request,
            RequestFields { max_tokens, stream_options: false, system_role: false, extra }
        );
        assert_eq!(models.article_review.unwrap().request, RequestFields::default(), "each model has its own");
    }

    #[test]
    fn each_key_that_is_wrong_or_missing_is_told() {
        assert_eq!(
            problems(
                "{max_tokens: stream, stream_options: maybe, system_roles: true, extra: {stream: false, model: x}}"
            ),
            [
                "request.max_tokens is a field that the program sets itself; null or max_completion_tokens belongs there",
                "request.extra.stream is a field that the program sets itself; take it out",
                "request.extra.model is a field that the program sets itself; take it out",
                "request.stream_options is a text; whether the server takes the field stream_options, true or false, belongs there",
                "request.system_role is missing; whether the model takes a system message, true or false, belongs there",
                "request.system_roles is not a key of this section; its keys are max_tokens, extra, stream_options, system_role",
            ]
        );
        let usual = "max_tokens: null, stream_options: true, system_role: true";
        assert_eq!(
            problems(&format!("{{{usual}, extra: [top_p]}}")),
            [
                "request.extra is a list; null, or the fields that join each request, such as {top_p: 0.9}, belongs there"
            ]
        );
        assert_eq!(
            problems(&format!("{{{usual}, extra: {{max_tokens: 3}}}}")),
            ["request.extra.max_tokens is a field that the program sets itself; take it out"]
        );
        for odd in ["seed: .inf", "7: a", "top_p: !odd 1", "a: [{b: .nan}]"] {
            assert_eq!(
                problems(&format!("{{{usual}, extra: {{{odd}}}}}")),
                [
                    "request.extra holds what JSON does not have (a key that is no text, a tag, an infinite number); null, or the fields that join each request, such as {top_p: 0.9}, belongs there"
                ],
                "{odd}"
            );
        }
        assert!(problems("{}").len() >= 4);
        assert!(problems("3")[0].starts_with("request is a number"));
    }
}
