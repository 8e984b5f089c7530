//! The section `research`.

use super::reader::Section;
use copydesk_newsroom::ErrandLimits;

/// `research`: how far the Reporter goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResearchConfig {
    /// Whether verdicts of a story can be sent to the Reporter.
    pub triage: bool,
    /// Most passes over the questions of an assignment.
    pub passes: u32,
    /// Most turns of one errand.
    pub turns: u32,
    /// Most calls of one turn.
    pub calls: u32,
    /// The limits of one errand in tokens, bytes and minutes.
    pub limits: ErrandLimits,
    /// Whether a story fails with a tool that cannot be reached.
    pub fails_with_tools: bool,
}

/// Reads the section.
pub(super) fn read_research(research: &Section<'_>) -> ResearchConfig {
    let whole = |key, range, belongs| u32::try_from(research.whole(key, range, belongs)).unwrap_or(1);
    let minutes = research.whole_or_null("errand_minutes", 1..=10_000, "the most minutes of one errand");
    ResearchConfig {
        limits: ErrandLimits {
            conversation_tokens: research.whole_or_null(
                "conversation_tokens",
                500..=10_000_000,
                "the most tokens of earlier turns in one prompt",
            ),
            tokens: research.whole_or_null("errand_tokens", 1_000..=1_000_000_000, "the most tokens of one errand"),
            bytes: research
                .whole_or_null("errand_kb", 1..=10_000_000, "the most kilobytes that the calls of one errand bring")
                .map(|kilobytes| kilobytes << 10),
            minutes: minutes.and_then(|minutes| u32::try_from(minutes).ok()),
        },
        triage: research.yes_or_no("triage", "whether verdicts can be sent to the Reporter"),
        passes: whole("passes", 1..=10, "the most passes over the questions of an assignment"),
        turns: whole("turns", 2..=50, "the most turns of one errand"),
        calls: whole("calls", 1..=32, "the most calls of one turn"),
        fails_with_tools: research
            .one_of("when_a_tool_fails", &[("continue", false), ("fail", true)], "what becomes of the story")
            .unwrap_or_default(),
    }
}
