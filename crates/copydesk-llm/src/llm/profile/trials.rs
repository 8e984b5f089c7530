//! A few short questions to a model: each is answered in seconds, and none says anything of a story.
//!
//! They go out as the stories' calls do, by the same client, so that they meet what those would meet.

use std::{
    hash::{BuildHasher as _, RandomState},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::facts::{Speed, Stated};
use crate::llm::{Client, probe::is_loading};
use copydesk_config::{ModelSettings, RequestFields, ResponseFormat, Settings, ToolForm};
use copydesk_core::ports::{Ask, CallError, Heard, ModelClient as _, RequestField, Schema, WaitedFor};
use copydesk_newsroom::{Agent, Answer, Message, Part, Prompt, Role, Tool, ToolEffect};
use copydesk_text::{thousands, tokens};

/// How long the first answer may take: servers load a model when they are first asked.
const FIRST: Duration = Duration::from_mins(3);
/// How long to wait before a server that loads its model is asked again.
const LOADING: Duration = Duration::from_millis(500);
/// How long each of the other questions may take.
const TRIAL: Duration = Duration::from_secs(20);
/// Most tokens of an answer; a model that thinks needs some more than its answer has.
const SHORT: u64 = 256;
/// Most tokens of the answer that measures the speed; some thirty are asked for.
const MEASURED: u64 = 64;
/// More tokens than any window has, and how long the question for them may take.
const TOO_MANY: (u64, Duration) = (9_000_000, Duration::from_secs(8));
/// The speed that is assumed if a measurement was not over in time, in tokens a second.
const SLOW: f64 = 10.0;

/// A key and a value that no model would write by itself.
const ODD: (&str, &str) = ("zebra_41", "qx-7");

/// The text that measures the speed of reading: plain news prose, some two hundred tokens.
const READ: &str = "The council of Eastbrook met on Tuesday evening. Nine members were present. They spoke for two hours about the \
    bridge on Mill Road, which has been closed to lorries since March. The engineer said that two of the four piers have cracks, and \
    that a repair would take eleven weeks. A new bridge would cost three times as much and would not be ready before the next winter. \
    The owner of the sawmill asked for a ferry until then. A teacher asked who would pay for the longer way of the school bus. The mayor \
    answered that the county had promised half of the sum, and that the rest would come from the reserve for roads. The vote was seven \
    to two for the repair. Work is to begin on the first Monday in June. The next meeting is in three weeks, in the hall of the library.";

/// A model that is tried out.
pub(super) struct Trials<'a> {
    model: ModelSettings,
    settings: &'a Settings,
    /// The usual fields that the server refused.
    refused: Vec<RequestField>,
}

impl<'a> Trials<'a> {
    pub(super) fn new(model: &ModelSettings, settings: &'a Settings) -> Self {
        let model = ModelSettings { request: RequestFields::default(), ..model.clone() };
        Self { model, settings, refused: Vec::new() }
    }

    /// The fields that the server takes, if they are not the usual ones.
    pub(super) fn request(&self) -> Option<Stated<RequestFields>> {
        let refused: Vec<String> = self.refused.iter().map(ToString::to_string).collect();
        let how = format!("it refused {}", refused.join(" and "));
        (!self.refused.is_empty()).then(|| Stated::new(self.model.request.clone(), how))
    }

    /// The model with other limits. Its window is not known yet, so no prompt is refused for its length.
    fn model(&self, max_tokens: u64, response_format: ResponseFormat) -> ModelSettings {
        ModelSettings {
            context_window: u64::from(u32::MAX),
            max_tokens,
            temperature: 0.0,
            response_format,
            tools: ToolForm::Native,
            timeout_seconds: FIRST.as_secs_f64(),
            ..self.model.clone()
        }
    }

    async fn ask(
        &self,
        model: &ModelSettings,
        ask: Ask,
        limit: Duration,
        heard: Heard<'_>,
    ) -> Result<Answer, CallError> {
        let client = Client::of_one(model, self.settings);
        let asked = tokio::time::timeout(limit, client.ask(&ask, heard)).await;
        asked.unwrap_or_else(|_| {
            let (host, seconds) = (model.endpoint.authority(), limit.as_secs_f64());
            Err(CallError::TimedOut { host, seconds, wait: WaitedFor::WholeAnswer })
        })
    }

    /// One word, after which the model is loaded. A server that says that it loads its model is asked again, and so is one that refuses
    /// a field: then without that field.
    pub(super) async fn first_answer(&mut self, told: Heard<'_>) -> Result<(), CallError> {
        let begun = Instant::now();
        loop {
            let model = self.model(SHORT, ResponseFormat::None);
            match self.ask(&model, one_word(), FIRST, &|_| {}).await {
                // A model that thinks long has answered, too.
                Ok(_) | Err(CallError::EndedEarly { .. } | CallError::NothingSaid { .. }) => return Ok(()),
                Err(error) if is_loading(&error) && begun.elapsed() < FIRST => {
                    told("the server is loading its model");
                    tokio::time::sleep(LOADING).await;
                }
                Err(CallError::RefusedField { field, .. })
                    if let Some(request) = without(&self.model.request, &field) =>
                {
                    told(&format!("the server refuses {field}: asking without it"));
                    self.model.request = request;
                    self.refused.push(*field);
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// How fast the model reads and writes, by the server's count of tokens and by the first piece of the answer. The prompt begins with a
    /// number that no earlier one had, so that no cache helps.
    pub(super) async fn speed(&self) -> Speed {
        let model = self.model(MEASURED, ResponseFormat::None);
        let fresh = RandomState::new().hash_one(0_u8);
        let ask = question(
            &format!("Note {fresh}. You repeat what you are asked for."),
            &format!("{READ}\n\nRepeat the first two sentences."),
        );
        let estimate = tokens::count("o200k_base", &ask.prompt.text());
        let begun = Instant::now();
        let first = Mutex::new((None::<Instant>, 0_u64));
        let heard = |_: &str| {
            let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
            first.0.get_or_insert_with(Instant::now);
            first.1 += 1;
        };
        let answer = self.ask(&model, ask, TRIAL, &heard).await;
        let (first, pieces) = *first.lock().unwrap_or_else(PoisonError::into_inner);
        match answer {
            Ok(Answer { usage, .. }) => {
                let read = usage.prompt_tokens.unwrap_or(estimate).saturating_sub(usage.cached_tokens.unwrap_or(0));
                speed(read, usage.completion_tokens.unwrap_or(pieces), begun, first, pieces)
            }
            // Most servers send a token at a time.
            Err(CallError::EndedEarly { .. }) if pieces > 1 => speed(estimate, pieces, begun, first, pieces),
            Err(CallError::TimedOut { .. }) => {
                Speed { reading: Some(SLOW), writing: Some(SLOW), whole: false, late: true }
            }
            Err(_) => Speed::default(),
        }
    }

    /// The first form in which the model keeps to a schema whose answer it would not give by itself: the prompt says nothing of it.
    pub(super) async fn format(&self) -> Option<Stated<ResponseFormat>> {
        for (format, how) in [
            (ResponseFormat::JsonSchema, "it kept to a schema that it was sent"),
            (ResponseFormat::JsonObject, "it kept to a schema in this form, not in OpenAI's"),
        ] {
            let mut ask = question("You answer in JSON.", "Name a colour in JSON.");
            ask.schema = Some(Schema { name: "trial", schema: odd_schema() });
            match self.ask(&self.model(SHORT, format), ask, TRIAL, &|_| {}).await {
                Ok(answer) if is_odd(&answer.text) => return Some(Stated::new(format, how)),
                Err(error) if error.is_the_servers() && !matches!(error, CallError::Status { .. }) => return None,
                Ok(_) | Err(_) => {}
            }
        }
        Some(Stated::new(ResponseFormat::None, "it did not keep to a schema that it was sent"))
    }

    /// Whether the model calls a tool that it is told to call.
    pub(super) async fn tools(&self) -> Option<Stated<bool>> {
        let mut ask = question("You look things up with tools.", "Look up the weather in Larkmoor with the tool.");
        ask.prompt.tools = vec![Tool {
            name: "weather".into(),
            description: "Tells the weather at a place.".into(),
            parameters: json!({
                "type": "object",
                "properties": { "place": { "type": "string" } },
                "required": ["place"],
                "additionalProperties": false,
            }),
            effect: ToolEffect::Reads,
        }];
        match self.ask(&self.model(SHORT, ResponseFormat::None), ask, TRIAL, &|_| {}).await {
            Ok(answer) if answer.calls.iter().any(|call| call.name == "weather") => {
                Some(Stated::new(true, "it called a tool that it was offered"))
            }
            Err(error) if error.is_the_servers() && !matches!(error, CallError::Status { .. }) => None,
            Ok(_) | Err(_) => Some(Stated::new(false, "it did not call a tool that it was offered")),
        }
    }

    /// The size of the window and the longest answer, if no page tells them: a question for an answer far beyond both. Servers refuse
    /// it before they begin, and name one of the two in the refusal (vLLM's and `llama-cpp-python`'s "maximum context length is 4096
    /// tokens", TGI's "must be <= 4096", OpenAI's "supports at most 16384 completion tokens"); those that take it answer one word.
    pub(super) async fn limits(&self) -> (Option<Stated<u64>>, Option<Stated<u64>>) {
        let (model, ask) = (self.model(TOO_MANY.0, ResponseFormat::None), one_word());
        let named =
            |limit: u64| Some(Stated::new(limit, format!("it refused a longer answer and named {}", thousands(limit))));
        match self.ask(&model, ask, TOO_MANY.1, &|_| {}).await {
            Err(CallError::Overflow { window, .. }) => (window.and_then(named), None),
            Err(CallError::RefusedField { field, .. }) if let RequestField::MostTokens(most) = *field => {
                (None, named(most))
            }
            Ok(_) | Err(_) => (None, None),
        }
    }
}

/// A question of an agent; which one does not matter, because all have the same model here.
fn question(system: &str, user: &str) -> Ask {
    let message = |role, text: &str| Message::new(role, vec![Part { name: "trial".into(), text: text.into() }]);
    let prompt = Prompt::new(vec![message(Role::System, system), message(Role::User, user)]);
    Ask { agent: Agent::Writer, prompt, schema: None, shown: None }
}

fn one_word() -> Ask {
    question("You answer in one word.", "Answer with the one word: ready")
}

fn odd_schema() -> Value {
    json!({
        "type": "object",
        "properties": { ODD.0: { "type": "string", "enum": [ODD.1] } },
        "required": [ODD.0],
        "additionalProperties": false,
    })
}

/// Whether an answer has nothing but what the schema wants.
fn is_odd(text: &str) -> bool {
    serde_json::from_str::<Value>(text.trim()).is_ok_and(|value| value == json!({ ODD.0: ODD.1 }))
}

#[expect(clippy::cast_precision_loss, reason = "a speed has two digits that matter")]
fn speed(prompt: u64, answer: u64, begun: Instant, first: Option<Instant>, pieces: u64) -> Speed {
    let whole = pieces <= 1 && answer > 4;
    let now = Instant::now();
    let first = first.unwrap_or(now);
    let per = |tokens: u64, time: Duration| {
        let seconds = time.as_secs_f64().max(0.001);
        (tokens > 0).then(|| tokens as f64 / seconds)
    };
    if whole {
        // The two cannot be told apart: the whole time counts for each.
        let all = now.duration_since(begun);
        return Speed { reading: per(prompt, all), writing: per(answer, all), whole, late: false };
    }
    Speed {
        reading: per(prompt, first.duration_since(begun)),
        writing: per(answer.saturating_sub(1), now.duration_since(first)),
        whole,
        late: false,
    }
}

/// The fields of the next try; none if the refused one could not be sent otherwise, or was sent so already.
fn without(fields: &RequestFields, refused: &RequestField) -> Option<RequestFields> {
    let mut next = fields.clone();
    match refused {
        RequestField::MaxTokens { wanted, .. } => {
            next.max_tokens = wanted.clone().unwrap_or_else(|| RequestFields::default().max_tokens);
        }
        RequestField::Stream => {
            next.stream_options = false;
            next.extra.insert("stream".into(), Value::Null);
        }
        RequestField::StreamOptions => next.stream_options = false,
        RequestField::SystemRole => next.system_role = false,
        RequestField::Temperature => drop(next.extra.insert("temperature".into(), Value::Null)),
        RequestField::MostTokens(_) | RequestField::ResponseFormat | RequestField::Tools | RequestField::Extra(_) => {}
    }
    (next != *fields).then_some(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_schema_makes_a_model_answer_so() {
        assert!(is_odd(" {\"zebra_41\": \"qx-7\"}\n"));
        for text in
            ["blue", "{\"colour\": \"blue\"}", "{\"zebra_41\": \"blue\"}", "```json\n{\"zebra_41\": \"qx-7\"}\n```"]
        {
            assert!(!is_odd(text), "{text}");
        }
    }

    #[test]
    fn a_speed_is_tokens_over_the_time_before_and_after_the_first_piece() {
        let now = Instant::now();
        let ago = |millis: u64| now.checked_sub(Duration::from_millis(millis)).unwrap();
        let streamed = speed(200, 21, ago(5_000), Some(ago(1_000)), 20);
        let near = |speed: Option<f64>, wanted: f64| speed.is_some_and(|speed| (speed - wanted).abs() < wanted / 10.0);
        assert!(near(streamed.reading, 50.0) && near(streamed.writing, 20.0) && !streamed.whole, "{streamed:?}");
        let whole = speed(200, 20, ago(5_000), Some(ago(1)), 1);
        assert!(near(whole.reading, 40.0) && near(whole.writing, 4.0) && whole.whole, "{whole:?}");
    }

    #[test]
    fn a_refused_field_is_sent_otherwise_once() {
        let usual = RequestFields::default();
        let max_tokens =
            RequestField::MaxTokens { field: "max_tokens".into(), wanted: Some("max_completion_tokens".into()) };
        let next = without(&usual, &max_tokens).unwrap();
        assert_eq!(next.max_tokens, "max_completion_tokens");
        assert_eq!(without(&next, &max_tokens), None);
        let next = without(&next, &RequestField::Temperature).unwrap();
        assert_eq!(next.extra.get("temperature"), Some(&Value::Null));
        let next = without(&next, &RequestField::SystemRole).unwrap();
        let next = without(&next, &RequestField::StreamOptions).unwrap();
        assert!(!next.system_role && !next.stream_options && next.max_tokens == "max_completion_tokens");
        assert_eq!(without(&usual, &RequestField::Stream).unwrap().extra.get("stream"), Some(&Value::Null));
        assert_eq!(without(&usual, &RequestField::Tools), None);
    }
}
