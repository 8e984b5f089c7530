//! The reason for which a server ended an answer, read without case and by its words. Servers have many: `stop`, `STOP`, `eos`,
//! `eos_token` (Hugging Face's, watsonx), `end_turn` (Anthropic's), `COMPLETE` (Cohere's), `eosFound` (LM Studio's), `model_length`
//! (Mistral's), `MAX_TOKENS` (Gemini's), `abort` (vLLM's), `RECITATION`, `insufficient_system_resource` (DeepSeek's).

/// The meaning of a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finish {
    /// The answer is whole. An unknown reason counts as whole, too: failures and cuts have telling words, and every agent checks its
    /// answer. A story should not be lost for a server's new word.
    Whole,
    /// It was cut at a limit of tokens or time.
    Cut,
    /// The model calls tools.
    Calls,
    /// A filter or a fault stopped it.
    Stopped,
}

/// Words of a reason that no whole answer has, those of a cut, and those of calls.
const STOPPED: &str = "filter filtered filtering safety unsafe moderation refusal refused blocked blocklist prohibited forbidden \
 recitation copyright spii sensitive toxic toxicity policy violation guardrail guardrails intervened error failed failure fail \
 fault abort aborted cancel cancelled canceled interrupted user malformed insufficient unload unloaded load language other \
 repetition pause paused suspended overloaded overload unavailable disconnect disconnected killed preempted evicted shutdown \
 crash crashed exception memory oom rejected denied quota";
const CUT: &str = "length max maximum limit limited truncated truncation incomplete partial exceeded overflow time timeout budget \
 cut unfinished window continue";
const CALLS: &str = "tool tools call calls function functions";

/// The meaning of a server's reason; none if it is no reason: empty, or the word `null`, as some send with each piece.
pub(super) fn read(reason: &str) -> Option<Finish> {
    let words = words(reason);
    let has = |known: &str| known.split(' ').any(|known| words.iter().any(|word| word == known));
    Some(match words.as_slice() {
        [] => return None,
        [only] if matches!(only.as_str(), "null" | "none") => return None,
        // `error_limit` is Cohere's name for a cut, `not_finished` watsonx's.
        [error, limit] if error == "error" && limit == "limit" => Finish::Cut,
        [not, ..] if not == "not" => Finish::Cut,
        _ if has(STOPPED) => Finish::Stopped,
        _ if has(CUT) => Finish::Cut,
        _ if has(CALLS) => Finish::Calls,
        _ => Finish::Whole,
    })
}

/// Whether a field of this name tells why an answer ended.
pub(super) fn names_a_reason(key: &str) -> bool {
    let words = words(key);
    words.last().is_some_and(|last| matches!(last.as_str(), "reason" | "type"))
        && words
            .iter()
            .any(|word| ["finish", "stop", "done", "end", "termination", "incomplete"].contains(&word.as_str()))
}

/// Whether a field of this name says by itself that the answer was cut, if it is true.
pub(super) fn is_cut_mark(key: &str) -> bool {
    let words = words(key);
    let has = |word: &str| words.iter().any(|own| own == word);
    has("truncated") || has("incomplete") || has("stopped") && has("limit")
}

/// The words of a reason in lower case: `eosFound`, `FINISH_REASON_STOP` and `end-turn` have two, three and two.
fn words(reason: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in reason.chars() {
        let begins = c.is_uppercase() && before.is_lowercase();
        if !c.is_alphanumeric() || begins {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_end_has_many_names() {
        for reason in [
            "stop",
            "STOP",
            "Stop",
            "eos",
            "eos_token",
            "EOS_TOKEN",
            "end",
            "end_turn",
            "endTurn",
            "COMPLETE",
            "complete",
            "stop_sequence",
            "STOP_SEQUENCE",
            "eosFound",
            "stopStringFound",
            "FINISH_REASON_STOP",
            "FinishReason.STOP",
            "finished",
            "done",
            "normal",
            "success",
            "<|im_end|>",
            "</s>",
            "stop_token",
            "REASON_STOP",
        ] {
            assert_eq!(read(reason), Some(Finish::Whole), "{reason}");
        }
    }

    #[test]
    fn a_cut_is_a_cut_under_any_name() {
        for reason in [
            "length",
            "LENGTH",
            "max_tokens",
            "MAX_TOKENS",
            "model_length",
            "max_length",
            "maxPredictedTokensReached",
            "contextLengthReached",
            "token_limit",
            "limit",
            "model_context_window_exceeded",
            "FINISH_REASON_MAX_TOKENS",
            "max_output_tokens",
            "incomplete",
            "not_finished",
            "time_limit",
            "ERROR_LIMIT",
            "truncated",
            "max_new_tokens",
            "REASON_MAX_LEN",
            "length_limit_reached",
        ] {
            assert_eq!(read(reason), Some(Finish::Cut), "{reason}");
        }
    }

    #[test]
    fn a_filter_or_a_fault_is_no_end() {
        for reason in [
            "content_filter",
            "contentFilter",
            "content-filter",
            "CONTENT_FILTERED",
            "SAFETY",
            "RECITATION",
            "BLOCKLIST",
            "PROHIBITED_CONTENT",
            "SPII",
            "refusal",
            "guardrail_intervened",
            "error",
            "ERROR",
            "ERROR_TOXIC",
            "abort",
            "USER_CANCEL",
            "userStopped",
            "modelUnloaded",
            "failed",
            "sensitive",
            "insufficient_system_resource",
            "MALFORMED_FUNCTION_CALL",
            "OTHER",
            "load",
            "pause_turn",
            "engine_overloaded",
        ] {
            assert_eq!(read(reason), Some(Finish::Stopped), "{reason}");
        }
    }

    #[test]
    fn calls_are_told_apart_no_reason_is_none_and_a_new_word_does_not_lose_a_story() {
        for reason in ["tool_calls", "function_call", "tool_use", "toolCalls", "TOOL_CALL", "tool-calls"] {
            assert_eq!(read(reason), Some(Finish::Calls), "{reason}");
        }
        for reason in ["", " ", "null", "None", "_"] {
            assert_eq!(read(reason), None, "{reason:?}");
        }
        assert_eq!(read("fertig"), Some(Finish::Whole));
    }
}
