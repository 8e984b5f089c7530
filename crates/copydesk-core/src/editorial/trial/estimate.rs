//! Estimates a story with the models that were tried, from the calls of the trial.

use super::marks::TrialRole;
use copydesk_newsroom::{Agent, amount};

/// The story of the estimate: a source of 800 words, a draft of 500, ten concerns, one revision.
const SOURCE_WORDS: u64 = 800;
const DRAFT_WORDS: u64 = 500;
const CONCERNS: u64 = 10;
/// Drafts, and reviews with their mappings.
const ROUNDS: u64 = 2;

/// Tokens of a hundred words of English, as the tokenizers of today's models count.
const TOKENS_OF_100_WORDS: u64 = 133;

/// Tokens of the source and of the draft in a case: about 110 and 40 words. The rest of a prompt is instructions, as in a story.
const CASE_SOURCE: u64 = 150;
const CASE_DRAFT: u64 = 90;

/// Less of a call's time than this after its first words means that the server does not stream.
const STREAMS_FROM: f64 = 0.02;

/// A call of the trial.
#[derive(Debug, Clone, PartialEq)]
pub struct TrialCall {
    pub agent: Agent,
    /// Until its first words came, and until its end.
    pub first_seconds: f64,
    pub seconds: f64,
    /// Tokens of the prompt that the server read anew, of the whole prompt, and of the answer.
    pub read_tokens: u64,
    pub prompt_tokens: u64,
    pub answer_tokens: u64,
    /// Why its answer was no use.
    pub problem: Option<String>,
}

/// The time and the tokens of a story of the usual size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StoryEstimate {
    pub seconds: f64,
    pub tokens: u64,
    /// Tokens of prompts and of answers in a second.
    pub reads: f64,
    pub writes: f64,
}

impl StoryEstimate {
    /// Describes the story of the estimate, in words.
    pub fn of_what() -> String {
        format!("a source of {SOURCE_WORDS} words, a draft of {DRAFT_WORDS}, {CONCERNS} concerns, one revision")
    }

    /// From the calls, one after another; none if there were none, or they took no time.
    pub fn from(calls: &[TrialCall]) -> Option<Self> {
        let sum = |value: fn(&TrialCall) -> f64| calls.iter().map(value).sum::<f64>();
        let (whole, first) = (sum(|call| call.seconds), sum(|call| call.first_seconds));
        let (read, written) = (sum(|call| amount(call.read_tokens)), sum(|call| amount(call.answer_tokens)));
        if whole <= 0.0 || written <= 0.0 {
            return None;
        }
        let (reads, writes) = if whole - first < whole * STREAMS_FROM {
            ((read + written) / whole, (read + written) / whole)
        } else {
            (read / first.max(0.001), written / (whole - first))
        };
        let tokens_of = |words: u64| words * TOKENS_OF_100_WORDS / 100;
        let (source, draft) = (tokens_of(SOURCE_WORDS), tokens_of(DRAFT_WORDS));
        // The writer writes one draft, in as many calls as its mode takes; the others answer to a case in one.
        let mean = |role: TrialRole, value: fn(&TrialCall) -> u64| {
            let of_it: Vec<u64> = calls.iter().filter(|call| role.has(call.agent)).map(value).collect();
            let cases = if role == TrialRole::Writer { 1 } else { of_it.len() as u64 };
            of_it.iter().sum::<u64>() / cases.max(1)
        };
        let (mut sent, mut received) = (0, 0);
        for role in TrialRole::ALL.into_iter().filter(|role| calls.iter().any(|call| role.has(call.agent))) {
            let times = if role == TrialRole::Specialists { CONCERNS } else { ROUNDS };
            let holds_draft = role != TrialRole::Writer;
            let longer = source.saturating_sub(CASE_SOURCE) + if holds_draft { draft - CASE_DRAFT } else { 0 };
            sent += times * (mean(role, |call| call.prompt_tokens) + longer);
            let answer = if holds_draft { mean(role, |call| call.answer_tokens) } else { draft };
            received += times * answer;
        }
        let seconds = amount(sent) / reads.max(0.001) + amount(received) / writes.max(0.001);
        Some(Self { seconds, tokens: sent + received, reads, writes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(agent: Agent, first_seconds: f64) -> TrialCall {
        TrialCall {
            agent,
            first_seconds,
            seconds: 10.0,
            read_tokens: 500,
            prompt_tokens: 700,
            answer_tokens: 100,
            problem: None,
        }
    }

    #[test]
    fn a_story_is_reckoned_from_how_fast_a_server_reads_and_writes() {
        let estimate = StoryEstimate::from(&[call(Agent::Writer, 5.0)]).unwrap();
        assert_eq!((estimate.reads, estimate.writes), (100.0, 20.0));
        // A draft and a revision: instructions, the longer source, an answer as long as the draft.
        assert_eq!(estimate.tokens, 2 * (700 + 1064 - 150) + 2 * 665);
        let expected = 3228.0 / 100.0 + 1330.0 / 20.0;
        assert!((estimate.seconds - expected).abs() < 0.001, "{}", estimate.seconds);
        let whole = StoryEstimate::from(&[call(Agent::Writer, 10.0)]).unwrap();
        assert_eq!((whole.reads, whole.writes), (60.0, 60.0), "a server that does not stream");
        assert_eq!(StoryEstimate::from(&[]), None);
    }
}
