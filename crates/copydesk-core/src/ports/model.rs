//! Sends prompts to models.

use std::time::Duration;

use async_trait::async_trait;

use super::Withheld;
use copydesk_newsroom::{Agent, Answer, Prompt, ShownSources};

/// The JSON schema of an answer, with the name that servers require.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    /// Such as `verdict`.
    pub name: &'static str,
    /// The schema, without references.
    pub schema: serde_json::Value,
}

/// One request.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// The agent that asks. It decides model, server and limits.
    pub agent: Agent,
    pub prompt: Prompt,
    /// The form of the answer, if it is JSON.
    pub schema: Option<Schema>,
    /// The part of the story's sources that the prompt shows; none if it shows them whole, or not at all.
    pub shown: Option<ShownSources>,
}

/// The properties of an agent's model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelProfile {
    pub model: String,
    /// The host that will see the text, with its port.
    pub host: String,
    /// Attempts after the first.
    pub max_retries: u32,
    pub retry_delay: Duration,
    /// Most tokens of an answer.
    pub max_tokens: u64,
    /// The other settings that influence an answer (temperature, limits, form), for the digest of a call's input.
    pub shape: String,
}

/// Fewest bytes of a token, for an estimate without a tokenizer. English has four or more.
const BYTES_A_TOKEN: usize = 4;

impl ModelProfile {
    /// The most tokens that a call may use, estimated: those of its prompt and of the longest answer.
    pub fn tokens_of(&self, prompt: &Prompt) -> u64 {
        self.prompt_tokens(prompt).saturating_add(self.max_tokens)
    }

    /// The estimated tokens of a prompt.
    pub fn prompt_tokens(&self, prompt: &Prompt) -> u64 {
        u64::try_from(prompt.bytes().div_ceil(BYTES_A_TOKEN)).unwrap_or(u64::MAX)
    }
}

/// Why a call gave no usable answer. Each message says what a person can do.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CallError {
    #[error("{host} is not this machine and privacy.local_only is true; {setting} names it")]
    NotLocal { host: String, setting: String },
    #[error(transparent)]
    Withheld(#[from] Withheld),
    #[error("the prompt is too large for {model}: it has {size}, and at most {limit} tokens fit (context_window × context_window_threshold); its parts: {}", .parts.join(", "))]
    PromptTooLarge {
        model: String,
        /// The size with its unit.
        size: String,
        limit: u64,
        /// Name and size of each part, largest first.
        parts: Vec<String>,
    },
    /// The server says that the prompt is longer than its context: not retried as it is, but made anew with less of the source.
    #[error("the prompt is longer than the context of {host}: {}", overflow(*.sent, *.window, .detail))]
    Overflow {
        host: String,
        /// Tokens of the prompt, if the server or our own count says.
        sent: Option<u64>,
        /// Tokens that the server can see, if it says.
        window: Option<u64>,
        /// The server's words, shortened and without secrets.
        detail: String,
    },
    /// The answer came whole and has no content: nothing at all, thinking alone, or only what marks an answer's end.
    #[error("the answer cannot be used: {detail}")]
    NothingSaid { detail: String },
    /// No server is there, or the connection ended before an answer began.
    #[error("no connection to {host}: {detail}; is the model server running there?")]
    Unreachable { host: String, detail: String },
    #[error("{host} {}", .wait.in_words(*.seconds))]
    TimedOut {
        host: String,
        /// How long it was waited for.
        seconds: f64,
        wait: WaitedFor,
    },
    #[error("{host} answered {status}: {message}{}", .retry_after.map_or_else(String::new, |wait| format!(" (it asks to wait {} s)", wait.as_secs())))]
    Status {
        host: String,
        status: u16,
        /// The server's message, shortened and without secrets.
        message: String,
        retry_after: Option<Duration>,
    },
    /// The server does not take a field of the request, and a setting changes that.
    #[error("{host} refuses {field}: set {} for {agent}, or run copydesk init (it answered {status}: {message})", .field.remedy())]
    RefusedField {
        host: String,
        status: u16,
        field: Box<RequestField>,
        /// The section of the model: the name of a shared one, or an agent's, such as `writer_llm`.
        agent: String,
        /// The server's message, shortened and without secrets.
        message: String,
    },
    /// The stream or body ended before the answer did.
    #[error("{host} stopped in the middle of its answer")]
    CutOff { host: String },
    /// The server cut the answer, or it was cut here because the server did not keep to the limit.
    #[error("the answer was cut at max_tokens ({max_tokens}); raise max_tokens or ask for less")]
    EndedEarly { max_tokens: u64 },
    /// The server ended the answer for a reason of its own.
    #[error("{host} stopped the answer with finish_reason {reason:?}")]
    Stopped {
        host: String,
        /// The server's reason.
        reason: String,
    },
    #[error("the answer of {host} is larger than {limit_mb} MB and was not read to its end")]
    AnswerTooLarge { host: String, limit_mb: usize },
    #[error("{host} did not answer as an OpenAI-compatible server does: {detail}")]
    Unreadable { host: String, detail: String },
    /// The connection was closed with nothing, or with half a message, as if that were all.
    #[error("{host} did not answer as an OpenAI-compatible server does: {detail}")]
    Closed { host: String, detail: String },
    /// Answers come from a recording, and this one is not in it.
    #[error(
        "the recording {file} has no answer to this request of {agent}: its prompt, model or settings differ from those that were recorded. Restore them, or set engine: llm"
    )]
    NotRecorded { agent: String, file: String },
    /// A recorded story is watched, and what is asked now was not asked when it was recorded.
    #[error(
        "The recording ends here. Your decision differs from the recorded one, so {agent} is asked what nobody recorded. Connect a model (`copydesk init`) to continue stories in your own way"
    )]
    RecordingEnds { agent: String },
    /// The answer came, but its calls of tools break their form, or it says the same again and again.
    #[error("the answer cannot be used: {detail}")]
    Unusable { detail: String },
}

/// The part of an answer that the program awaited when time was up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitedFor {
    /// The first byte: it may still read the prompt.
    FirstByte,
    /// The next byte of an answer that had begun.
    NextByte,
    /// The end of an answer that does not come in pieces.
    WholeAnswer,
    /// The end of an answer whose pieces come too slowly. An answer may take `timeout_seconds` and two seconds for each of `max_tokens`.
    LastByte { max_tokens: u64 },
}

impl WaitedFor {
    fn in_words(self, seconds: f64) -> String {
        match self {
            Self::FirstByte => format!(
                "sent nothing for {seconds} s (timeout_seconds), so no answer began; a long prompt takes long to read: raise timeout_seconds, or give fewer or shorter sources"
            ),
            Self::NextByte => format!(
                "stopped in its answer and sent nothing for {seconds} s (timeout_seconds); if it is only slow, raise timeout_seconds"
            ),
            Self::WholeAnswer => format!(
                "did not finish its answer within {seconds} s (timeout_seconds); it sends an answer as a whole, so raise timeout_seconds to the time of the longest"
            ),
            Self::LastByte { max_tokens } => format!(
                "was still answering after {seconds} s, the longest time for max_tokens {max_tokens}; choose a faster server, or a smaller model"
            ),
        }
    }
}

/// Whether a server's message tells of something that no waiting changes: a bill, or a machine that is too small for the model.
fn needs_a_person(message: &str) -> bool {
    let told = message.to_lowercase();
    let passes = ["per minute", "per day", "retry in", "try again in"].iter().any(|sign| told.contains(sign));
    !passes
        && ["current quota", "insufficient_quota", "insufficient credit", "credit balance", "more system memory"]
            .iter()
            .any(|sign| told.contains(sign))
}

/// Whether a refusal means that the model is gone, as LM Studio words it.
fn has_crashed(message: &str) -> bool {
    let told = message.to_lowercase();
    ["model has crashed", "model unloaded", "model is unloaded"].iter().any(|sign| told.contains(sign))
}

/// A field of a request that some servers do not take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestField {
    /// The field that bounds an answer, and the name that the server wants, if it is another than the usual one.
    MaxTokens {
        field: String,
        wanted: Option<String>,
    },
    /// Its value is too large; the most that the server takes.
    MostTokens(u64),
    Stream,
    StreamOptions,
    SystemRole,
    Temperature,
    ResponseFormat,
    Tools,
    /// One of `request.extra`.
    Extra(String),
}

impl RequestField {
    /// The setting that helps, as it stands in the configuration.
    pub fn remedy(&self) -> String {
        match self {
            Self::MaxTokens { wanted: Some(wanted), .. } => format!("request.max_tokens: {wanted}"),
            Self::MaxTokens { wanted: None, .. } => "request.max_tokens: null".to_owned(),
            Self::MostTokens(most) => format!("max_tokens: {most}"),
            Self::Stream => "request.stream_options: false and request.extra: {stream: null}".to_owned(),
            Self::StreamOptions => "request.stream_options: false".to_owned(),
            Self::SystemRole => "request.system_role: false".to_owned(),
            Self::Temperature => "request.extra: {temperature: null}".to_owned(),
            Self::ResponseFormat => "response_format to another of json_schema, json_object and none".to_owned(),
            Self::Tools => "tool_calls: json".to_owned(),
            Self::Extra(field) => format!("request.extra without {field}"),
        }
    }
}

impl std::fmt::Display for RequestField {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::MaxTokens { field, .. } | Self::Extra(field) => write!(f, "the field {field}"),
            Self::MostTokens(_) => f.write_str("so long an answer"),
            Self::Stream => f.write_str("the field stream"),
            Self::StreamOptions => f.write_str("the field stream_options"),
            Self::SystemRole => f.write_str("the system message"),
            Self::Temperature => f.write_str("the field temperature"),
            Self::ResponseFormat => f.write_str("the field response_format"),
            Self::Tools => f.write_str("the field tools"),
        }
    }
}

/// Both numbers of an overflow, as far as they are known, then the server's words.
fn overflow(sent: Option<u64>, window: Option<u64>, detail: &str) -> String {
    match (sent, window) {
        (Some(sent), Some(window)) => format!("{sent} tokens sent, and it can see {window} ({detail})"),
        (Some(sent), None) => format!("{sent} tokens sent ({detail})"),
        (None, Some(window)) => format!("it can see {window} tokens ({detail})"),
        (None, None) => detail.to_owned(),
    }
}

impl CallError {
    /// The beginning of the message about an answer that cannot be used, also if the agent fails to read it.
    pub const UNUSABLE: &str = "the answer cannot be used: ";

    /// The message about an answer that repeats itself.
    pub const REPEATS: &str = "it says the same again and again";

    /// The beginning of the message about an answer that was cut.
    pub const CUT: &str = "the answer was cut at max_tokens";

    /// The tokens that were sent and those that the server can see, read from the message of an overflow as it is stored. None if it is
    /// another's message.
    pub fn overflow_in(message: &str) -> Option<(Option<u64>, Option<u64>)> {
        let (_, said) = message.strip_prefix("the prompt is longer than the context of ")?.split_once(": ")?;
        let number = |text: &str| text.split_whitespace().next()?.parse().ok();
        let sent = said.split_once(" tokens sent").and_then(|(before, _)| before.parse().ok());
        let window = said.split_once("it can see ").and_then(|(_, after)| number(after));
        Some((sent, window))
    }

    /// Whether another attempt may help. It may after time-outs, connection errors, 408, 425, 429, 5xx, and incomplete or unreadable
    /// answers. It does not after other refusals (4xx), or if the prompt does not fit or the host is not allowed.
    pub fn may_retry(&self) -> bool {
        match self {
            Self::NotLocal { .. }
            | Self::PromptTooLarge { .. }
            | Self::Overflow { .. }
            | Self::RefusedField { .. }
            | Self::NotRecorded { .. }
            | Self::RecordingEnds { .. } => false,
            Self::Withheld(withheld) => withheld.passes(),
            Self::Status { status, message, retry_after, .. } => {
                let again = matches!(status, 408 | 425 | 429 | 500..=599) || *status == 400 && has_crashed(message);
                again && (retry_after.is_some() || !needs_a_person(message))
            }
            _ => true,
        }
    }

    /// Whether the call may succeed later without a change, so that the step is delivered again. An unreadable answer does not count: the
    /// server would send it again.
    pub fn passes(&self) -> bool {
        match self {
            Self::Unreachable { .. } | Self::TimedOut { .. } | Self::CutOff { .. } | Self::Closed { .. } => true,
            Self::Status { .. } | Self::Withheld(_) => self.may_retry(),
            _ => false,
        }
    }

    /// Whether the step waits until a person has changed something, so that nothing of the story is lost meanwhile.
    pub fn waits_for_a_person(&self) -> bool {
        matches!(self, Self::Withheld(_))
    }

    /// Whether the server is down or overloaded.
    pub fn is_the_servers(&self) -> bool {
        match self {
            Self::Unreachable { .. } | Self::TimedOut { .. } => true,
            Self::Status { status, .. } => (500..=599).contains(status),
            _ => false,
        }
    }

    /// Whether the prompt may have caused the server's failure, because it takes too long or crashes the server. It did not if the server
    /// cannot be reached or says that it is overloaded.
    pub fn may_be_the_prompts(&self) -> bool {
        matches!(
            self,
            Self::TimedOut { .. } | Self::CutOff { .. } | Self::Closed { .. } | Self::Status { status: 500, .. }
        )
    }

    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Status { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}

/// Receives each piece of an answer's text as it arrives.
pub type Heard<'a> = &'a (dyn Fn(&str) + Send + Sync);

/// Sends requests to models. Each call makes one request. The caller decides about retries, because each attempt is recorded.
#[async_trait]
pub trait ModelClient: Send + Sync {
    /// The properties of the model for `agent`.
    fn card(&self, agent: Agent) -> ModelProfile;

    /// Sends one request. `heard` receives each piece of the answer's text as it arrives.
    ///
    /// Dropping the future cancels the request.
    async fn ask(&self, ask: &Ask, heard: Heard<'_>) -> Result<Answer, CallError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_an_overflow_are_found_in_its_message() {
        for (sent, window) in [(Some(9_800), Some(4_096)), (Some(9_800), None), (None, Some(4_096)), (None, None)] {
            let error =
                CallError::Overflow { host: "127.0.0.1:8080".into(), sent, window, detail: "it is: too long".into() };
            assert_eq!(CallError::overflow_in(&error.to_string()), Some((sent, window)));
        }
        assert_eq!(CallError::overflow_in("it can see 3 tokens"), None);
    }

    #[test]
    fn a_model_that_is_gone_may_come_back() {
        let refused = |message: &str| {
            let message = message.to_owned();
            CallError::Status { host: "127.0.0.1:1234".into(), status: 400, message, retry_after: None }.passes()
        };
        assert!(refused("The model has crashed without additional information. (Exit code: null)"));
        assert!(refused("Model unloaded.") && !refused("Invalid model identifier"));
    }
}
