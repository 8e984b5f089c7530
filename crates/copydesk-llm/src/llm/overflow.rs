//! Recognises the ways in which servers say that a prompt is longer than their context, and reads both numbers.
//!
//! Read from the documents and reports of llama.cpp, llama-cpp-python, LM Studio, Ollama, vLLM, SGLang, TGI, TensorRT-LLM, OpenAI, Azure,
//! Anthropic, Gemini, Mistral, Groq, Cohere, `LMDeploy`, `DeepInfra`, Together, xAI, OpenRouter, Moonshot and LiteLLM. The status says little: it may be 200, 400, 413, 422
//! or 500.

use std::sync::LazyLock;

use regex::{Regex, RegexSet};
use serde_json::Value;

use super::said;
use copydesk_text::pattern::TextPattern;

/// The numbers of an overflow, as far as the server says them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Overflow {
    /// Tokens of the prompt.
    pub(super) sent: Option<u64>,
    /// Tokens that the server can see.
    pub(super) window: Option<u64>,
}

/// Types and codes, and the words of a message.
static SIGNS: LazyLock<Option<RegexSet>> = LazyLock::new(|| {
    RegexSet::new([
        r"exceed_context_size|context_(length|window)_exceeded|contextwindowexceeded|max_prompt_tokens_exceeded|request_too_large|string_above_max_length",
        // The context, and that it is too small.
        r"(exceed|longer than|larger than|greater than|more than|too (long|large|big|many)|overflow|not enough|reached|beyond|does not fit|doesn't fit|maximum)[^.]{0,80}context[ _-]?(size|length|window|limit)",
        r"context[ _-]?(size|length|window|limit)[^.]{0,80}(exceed|overflow|not enough|reached|too (small|short)|is full|maximum)",
        r"context[ _-]?(size|length|window|limit)[^.]{0,60}\bbut\b[^.]{0,60}\b(prompt|input|request|messages)|(context|token)s? (limit exceeded|overflow)",
        r"maximum context (size|length|window|of the model)|context the overflows|n_keep[^.]{0,40}n_ctx|exceeds? [^.]{0,20}n_ctx",
        // The prompt, and that it is too long.
        r"\b(prompt|inputs?|messages|conversation|text)\b[^.]{0,60}(too long|is longer than|too many tokens)",
        r"\b(prompt|inputs?|request|token count|model token limit)\b[^.]{0,60}exceed[^.]{0,60}\b(tokens?|length|limit)\b",
        r"exceed[^.]{0,20}\b(model token limit|max(imum)? (input|prompt|model) (length|tokens))",
        r"tokens must be at least 1, got -\d|too many (input|prompt) tokens|too many tokens: size limit|prompt is too large|too large for model with",
        r"maximum (prompt|input|model|sequence) length|greater than max_seq_len|(longer|more|larger) than the (model|maximum)",
        r"reduce (the length of )?(the|your) (input|prompt|messages?)\b|reduce your message size",
        r"request too large|tokens must be reduced",
        r"too many tokens|total number of tokens in the prompt|max input length|session_len|max_input_len|max_num_tokens",
        r"inputs?`? (tokens \+|must have less than)|range of input length|input[^.]{0,20}too long for",
    ])
    .ok()
});

/// Similar messages about something else: a limit in a minute, a deadline, a wrong value of `max_tokens`.
static ELSE: TextPattern = TextPattern::new(
    r"rate.?limit|per (second|minute|min|hour|day)|\b[tr]p[md]\b|quota|deadline|^[`'\x22]?max_(completion_|new_)?tokens[`'\x22]? must",
);

/// How tokens of the prompt are named, and how those of the window are: the surest first.
const SENT: [&str; 18] = [
    r"\bgot (\d+)",
    r"(\d+) in (?:the|your) (?:messages|prompt)",
    r"(\d+) tokens (?:from|in|of) (?:the |your |text )?(?:input|prompt|messages)",
    r"(?:prompt|input|request|text)\w* (?:contains?|has|have|resulted in)\D{0,20}?(\d+)",
    r"(\d+) input tokens",
    r"(\d+)`? ?`?inputs?`? tokens",
    r"(?:request|input|prompt|sequence)\w* \((?:length )?(\d+)(?: tokens?)?\)",
    r"(?:prompt|input|sequence) (?:is |tokens? |token count |length )*(?:too long)?[:(]? ?\(?(?:of )?(\d+)",
    r"resulted in (\d+)",
    r"keep the first (\d+)",
    r"n_keep[ (:=]*(\d+)",
    r"requested tokens \((\d+)\)",
    r"request input token count\D{0,5}(\d+)",
    r"(?:limit|context|window)\w*: (\d+) \+",
    r"requested:? (?:about |a total of )?(\d+)",
    r"(?:length is|request contains|given:?|received) (\d+)",
    r"\((\d+)\) exceed",
    r"(\d+) (?:tokens )?(?:>=?|exceeds?|is (?:greater|longer|larger|more) than) \d",
];
const WINDOW: [&str; 14] = [
    r"cannot exceed (\d+)",
    r"(?:session_len|max_input_len|max_num_tokens)\W{1,3}(\d+)",
    r"> (\d+)",
    r"n_ctx[ (:=]*(\d+)",
    r"(?:must be|should be) <= (\d+)",
    r"less than (\d+)",
    r"(?:context|max_seq_len|n_ctx)[ _]?(?:size|length|window|limit)?\)?(?: of| is|:| only|=|,)* \(?(?:only )?(\d+)",
    r"(\d+)[- ](?:tokens? )?(?:maximum )?context",
    r"max(?:imum)? (?:prompt|input|model|sequence|context)\w* (?:length|tokens|size)(?: of| is|:|=)* \(?(\d+)",
    r"max\w* (?:input )?tokens(?: allowed)?(?: of| is|:|=)* \(?(\d+)",
    r"limit(?: is| of|:)? \(?(\d+)",
    r"allowed \(?(\d+)",
    r"window(?: of| is|:|=)* \(?(\d+)",
    r"range of input length should be \[\d+, (\d+)",
];

/// Tables are made once; a pattern that cannot be made is missing, and a test would say so.
fn tables(patterns: &[&str]) -> Vec<Regex> {
    patterns.iter().filter_map(|pattern| Regex::new(pattern).ok()).collect()
}

static SENT_TABLE: LazyLock<Vec<Regex>> = LazyLock::new(|| tables(&SENT));
static WINDOW_TABLE: LazyLock<Vec<Regex>> = LazyLock::new(|| tables(&WINDOW));

/// The overflow that an error reports, if it reports one.
pub(super) fn read(status: u16, error: &Value) -> Option<Overflow> {
    let told = said::words(error);
    // Whatever the words are, a request is too large.
    let found = in_words(status, &told).or_else(|| (status == 413).then(Overflow::default))?;
    let field = |names: &[&str]| names.iter().find_map(|name| number_at(error, name));
    Some(Overflow {
        sent: field(&["n_prompt_tokens", "prompt_tokens", "num_prompt_tokens"]).or(found.sent),
        window: field(&["n_ctx", "num_ctx", "max_model_len", "context_length", "max_context_length"]).or(found.window),
    })
}

/// The overflow that a text in lower case reports.
pub(super) fn in_words(status: u16, told: &str) -> Option<Overflow> {
    if !SIGNS.as_ref()?.is_match(told) {
        return None;
    }
    // A request too large for a minute's limit will always be, and a smaller one will not.
    let is_limit = ELSE.is_match(told) && !told.contains("context_length_exceeded");
    // vLLM takes the prompt off the window, and what is left for the answer is less than nothing.
    let always = told.contains("must be reduced") || told.contains(", got -");
    if status != 413 && is_limit && !always {
        return None;
    }
    let plain = without_separators(told);
    let first = |table: &[Regex]| {
        table
            .iter()
            .find_map(|pattern| pattern.captures_iter(&plain).find_map(|found| found.get(1)?.as_str().parse().ok()))
    };
    let plausible = |number: &u64| (16..1 << 32).contains(number);
    let (sent, window) = (first(&SENT_TABLE).filter(plausible), first(&WINDOW_TABLE).filter(plausible));
    // One more number that is larger than the window is the prompt's size. The number after `by` is the excess.
    let larger = |window: &u64| {
        let words: Vec<&str> = plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let number = |pair: &[&str]| pair.get(1)?.parse().ok().filter(|_| pair.first() != Some(&"by"));
        let mut numbers = words.windows(2).filter_map(number).filter(|number| number > window && plausible(number));
        numbers.next().filter(|_| numbers.next().is_none())
    };
    // A minute's limit is no window.
    Some(Overflow { sent: sent.or_else(|| larger(window.as_ref()?)), window: window.filter(|_| !is_limit) })
}

/// A number under a key, at the top or in the error.
fn number_at(error: &Value, name: &str) -> Option<u64> {
    [Some(error), error.get("error"), error.get("detail")].into_iter().flatten().find_map(|at| at.get(name)?.as_u64())
}

/// Numbers without what stands between thousands: `8,192` and `8_192`.
fn without_separators(told: &str) -> String {
    let bytes: Vec<char> = told.chars().collect();
    let digit = |place: Option<usize>| place.and_then(|place| bytes.get(place)).is_some_and(char::is_ascii_digit);
    let separates = |at: usize, c: char| {
        matches!(c, ',' | '_') && digit(at.checked_sub(1)) && (1..=3).all(|more| digit(at.checked_add(more)))
    };
    bytes.iter().enumerate().filter(|(at, c)| !separates(*at, **c)).map(|(_, c)| *c).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(message: &str) -> Option<(Option<u64>, Option<u64>)> {
        read(400, &json!({"error": {"message": message}})).map(|found| (found.sent, found.window))
    }

    #[test]
    fn a_request_above_the_limit_of_a_minute_is_too_large_whenever_it_comes() {
        let message = "Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 41372. The input or output tokens must be reduced in order to run successfully.";
        let error = json!({"error": {"message": message, "type": "tokens", "code": "rate_limit_exceeded"}});
        assert_eq!(read(429, &error).map(|found| found.sent), Some(Some(41_372)));
        let other = "Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000.";
        assert_eq!(read(429, &json!({"error": {"message": other}})), None);
    }

    #[test]
    fn every_pattern_can_be_made() {
        assert!(SIGNS.is_some() && !ELSE.is_match(""));
        assert_eq!((SENT_TABLE.len(), WINDOW_TABLE.len()), (SENT.len(), WINDOW.len()));
    }

    #[test]
    fn an_overflow_is_known_by_the_words_of_each_server_and_both_numbers_are_read() {
        let both = |sent, window| Some((Some(sent), Some(window)));
        for (message, numbers) in [
            // llama.cpp
            (
                "request (131168 tokens) exceeds the available context size (131072 tokens), try increasing it",
                both(131_168, 131_072),
            ),
            (
                "the request exceeds the available context size. try increasing the context size or enable context shift",
                Some((None, None)),
            ),
            ("Context size has been exceeded.", Some((None, None))),
            // vLLM, with less than nothing left for the answer
            ("max_tokens must be at least 1, got -186.", Some((None, None))),
            // llama-cpp-python
            ("Requested tokens (2285) exceed context window of 2048", both(2285, 2048)),
            // LM Studio
            (
                "Trying to keep the first 10136 tokens when context the overflows. However, the model is loaded with context length of only 7866 tokens, which is not enough.",
                both(10_136, 7866),
            ),
            ("Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)", both(15_028, 7424)),
            (
                "The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length, or provide a shorter input",
                Some((None, None)),
            ),
            // OpenAI, Azure, vLLM, OpenRouter, SGLang
            (
                "This model's maximum context length is 4097 tokens. However, you requested 4222 tokens (1222 in the messages, 3000 in the completion).",
                both(1222, 4097),
            ),
            (
                "This model's maximum context length is 8,192 tokens. However, your messages resulted in 9,575 tokens.",
                both(9575, 8192),
            ),
            (
                "This model's maximum context length is 262144 tokens. However, you requested 128000 output tokens and your prompt contains at least 134145 input tokens, for a total of at least 262145 tokens.",
                both(134_145, 262_144),
            ),
            (
                "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 8192 tokens and your request has 1200 input tokens",
                both(1200, 8192),
            ),
            (
                "This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens (42832 of text input).",
                both(42_832, 32_768),
            ),
            ("The decoder prompt (length 5000) is longer than the maximum model length of 4096.", both(5000, 4096)),
            ("The input (5000 tokens) is longer than the model's context length (4096 tokens).", both(5000, 4096)),
            (
                "Requested token count exceeds the model's maximum context length of 4096 tokens. You requested a total of 5000 tokens: 4500 tokens from the input messages and 500 tokens for the completion.",
                both(4500, 4096),
            ),
            (
                "Your input exceeds the context window of this model. Please adjust your input and try again.",
                Some((None, None)),
            ),
            // Anthropic
            ("prompt is too long: 214315 tokens > 200000 maximum", both(214_315, 200_000)),
            (
                "input length and `max_tokens` exceed context limit: 197202 + 20000 > 200000, decrease input length",
                both(197_202, 200_000),
            ),
            // Gemini, Bedrock
            (
                "The input token count (1200000) exceeds the maximum number of tokens allowed (1048575).",
                both(1_200_000, 1_048_575),
            ),
            ("Input is too long for requested model.", Some((None, None))),
            // Mistral, Groq, xAI, Moonshot
            (
                "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
                both(40_000, 32_768),
            ),
            (
                "Please reduce the length of the messages or completion. Current length is 9999 while limit is 8192",
                both(9999, 8192),
            ),
            (
                "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
                both(537_812, 131_072),
            ),
            ("Invalid request: Your request exceeded model token limit: 8192", Some((None, Some(8192)))),
            // TGI, Cohere, Ollama, TabbyAPI
            (
                "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 1800 `inputs` tokens and 1024 `max_new_tokens`",
                both(1800, 2048),
            ),
            ("Input validation error: `inputs` must have less than 1024 tokens. Given: 1234", both(1234, 1024)),
            (
                "too many tokens: size limit exceeded by 1234 tokens. Try using shorter or fewer inputs",
                Some((None, None)),
            ),
            ("the input length exceeds the context length", Some((None, None))),
            ("Prompt length 10000 is greater than max_seq_len 4096", both(10_000, 4096)),
            ("Prompt exceeds max length", Some((None, None))),
            ("prompt too long; exceeded max context length by 5123 tokens", Some((None, None))),
            // Messages of servers that are not known yet.
            ("The model's context length is 4096 but the prompt has 5000 tokens", both(5000, 4096)),
            ("Token limit exceeded: 5000 > 4096", both(5000, 4096)),
            ("context overflow: 5000 tokens, window 4096", both(5000, 4096)),
            ("Requested tokens 5000 exceed context window 4096", both(5000, 4096)),
        ] {
            assert_eq!(told(message), numbers, "{message}");
        }
    }

    #[test]
    fn so_do_the_servers_that_name_their_own_settings() {
        let both = |sent, window| Some((Some(sent), Some(window)));
        for (message, numbers) in [
            // Cohere
            (
                "too many tokens: total number of tokens in the prompt cannot exceed 2048 - received 3012. Try using a shorter prompt, or enabling prompt truncating.",
                both(3012, 2048),
            ),
            // LMDeploy, DeepInfra, TensorRT-LLM, Together
            ("The input prompt token length 3012 exceeds the session_len 2048.", both(3012, 2048)),
            ("inference prohibited, please enter max input length 2048, got 3012", both(3012, 2048)),
            (
                "The sum of prompt length (3012.0), query length (0) should not exceed max_num_tokens (2048)",
                both(3012, 2048),
            ),
            ("Prompt length (3012) exceeds maximum input length (2048). Set max_input_len", both(3012, 2048)),
            ("prompt length 3012 exceeds max_input_len 2048", both(3012, 2048)),
            (
                "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000 `inputs` tokens and 512 `max_new_tokens`",
                both(5000, 4097),
            ),
            ("Please reduce the length of the messages or completion.", Some((None, None))),
        ] {
            assert_eq!(told(message), numbers, "{message}");
        }
    }

    #[test]
    fn types_codes_and_fields_tell_it_too() {
        let error = json!({"error": {"code": 400, "type": "exceed_context_size_error", "message": "no", "n_prompt_tokens": 14_429, "n_ctx": 8192}});
        assert_eq!(read(200, &error), Some(Overflow { sent: Some(14_429), window: Some(8192) }));
        let openai = json!({"error": {"code": "context_length_exceeded", "message": "no", "param": "messages"}});
        assert_eq!(read(400, &openai), Some(Overflow::default()));
        let litellm = json!({"error": {"message": "litellm.ContextWindowExceededError: no", "code": "400"}});
        assert_eq!(read(400, &litellm), Some(Overflow::default()));
        let router = json!({"error": {"message": "Provider returned error", "metadata": {"raw": "{\"message\":\"prompt is too long: 5000 tokens > 4096 maximum\"}"}}});
        assert_eq!(read(502, &router), Some(Overflow { sent: Some(5000), window: Some(4096) }));
        let groq = json!({"error": {"message": "Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 9876, please reduce your message size and try again.", "code": "rate_limit_exceeded"}});
        assert_eq!(read(413, &groq), Some(Overflow { sent: Some(9876), window: None }));
        assert_eq!(read(413, &json!({"error": "Payload Too Large"})), Some(Overflow::default()));
    }

    #[test]
    fn what_only_sounds_alike_is_no_overflow() {
        for message in [
            "Rate limit reached for model on tokens per min (TPM): Limit 6000, Used 5000, Requested 1876. Please try again in 8s.",
            "context deadline exceeded",
            "context canceled",
            "CUDA out of memory",
            "Incorrect API key",
            "Loading model",
            "You exceeded your current quota, please check your plan",
            "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model",
            "max_tokens is too large: 200000. This model supports at most 16384 completion tokens",
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            "no such model",
            "The server is overloaded",
            "invalid message: content is too short",
            "request timeout exceeded",
            "no reason given",
        ] {
            assert_eq!(told(message), None, "{message}");
        }
    }
}
