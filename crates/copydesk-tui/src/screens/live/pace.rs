//! How fast the running call writes, and about how long it will go on. A local model may write for minutes.

use std::{mem::discriminant, time::Duration};

use jiff::Timestamp;

use crate::screens::live::OnItsWay;
use copydesk_newsroom::{Journal, Step, WriterMode};
use copydesk_text::to_go;

/// How long a call writes before its pace is told: the first pieces may come at once.
const SETTLED: Duration = Duration::from_secs(3);

/// Tokens of a word of English, in tenths, with the punctuation.
const TOKENS_OF_TEN_WORDS: u64 = 14;

/// `23 tokens a second, about 40 s to go`; none in the first seconds. `expected` is how many tokens the answer may have.
pub fn pace(call: &OnItsWay, expected: Option<u64>, now: Timestamp) -> Option<String> {
    let writes = Duration::try_from(now.duration_since(call.writes_since?)).ok().filter(|writes| *writes >= SETTLED)?;
    let pieces = u64::try_from(call.pieces).unwrap_or(u64::MAX);
    let milliseconds = u64::try_from(writes.as_millis()).unwrap_or(u64::MAX);
    let tenths = pieces.saturating_mul(10_000) / milliseconds.max(1);
    let rate = if tenths < 100 { format!("{}.{}", tenths / 10, tenths % 10) } else { (tenths / 10).to_string() };
    let left = expected.and_then(|expected| to_go(pieces, expected, writes));
    let left = left.map_or_else(String::new, |left| format!(", {left}"));
    Some(format!("{rate} tokens a second{left}"))
}

/// About how many tokens the answer of a step will have: as many as those of its kind had in this story. If there were none, a draft has as
/// many as the length that is asked for.
pub fn expected(journal: &Journal, step: Step) -> Option<u64> {
    let writes = |step: Step| matches!(step, Step::Draft | Step::Revise { .. });
    let alike = |other: Step| discriminant(&other) == discriminant(&step) || (writes(other) && writes(step));
    let entries = journal.entries().iter().filter(|entry| alike(entry.step));
    let (sum, count) = entries
        .filter_map(|entry| entry.usage.completion_tokens)
        .fold((0_u64, 0_u64), |(sum, count), tokens| (sum.saturating_add(tokens), count + 1));
    let of_length = || {
        let words = journal.opening.topic.target_length_words.split(|letter: char| !letter.is_ascii_digit());
        let least: u64 = words.into_iter().find_map(|number| number.parse().ok())?;
        Some(least.saturating_mul(TOKENS_OF_TEN_WORDS) / 10)
    };
    // In sections no answer is a whole article.
    let is_article = writes(step) && journal.opening.settings.writer_mode != Some(WriterMode::Sections);
    sum.checked_div(count).or_else(|| of_length().filter(|_| is_article))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screens::live::model::Live;
    use copydesk_core::editorial::testing::{add, article, opening};
    use copydesk_newsroom::{Draft, Entry, Event, EventRecord, Outcome, Usage};

    fn at(seconds: i64) -> Timestamp {
        "2026-10-06T12:00:00Z".parse::<Timestamp>().unwrap() + jiff::SignedDuration::from_secs(seconds)
    }

    #[test]
    fn a_slow_call_tells_its_pace_and_about_how_long_it_goes_on() {
        let mut live = Live::default();
        let [agent, model, host] = ["writer", "m", "h"].map(str::to_owned);
        let event = Event::CallStarted { step: Step::Draft, attempt: 1, agent, model, host };
        live.happened(&EventRecord { at: "t".into(), story: "desk/park".into(), run: "r".into(), event });
        let said = |live: &Live, expected, seconds| pace(&live.calls[&Step::Draft], expected, at(seconds));
        assert_eq!(said(&live, Some(100), 60), None, "it reads the prompt, and has not begun to write");
        for _ in 0..46 {
            live.heard(Step::Draft, &"x".into(), at(60));
        }
        assert_eq!(said(&live, Some(100), 62), None);
        assert_eq!(said(&live, Some(460), 64).as_deref(), Some("11 tokens a second, about 36 s to go"));
        assert_eq!(said(&live, None, 80).as_deref(), Some("2.3 tokens a second"));
        assert_eq!(said(&live, Some(46), 80).as_deref(), Some("2.3 tokens a second"), "it is longer than expected");
        assert_eq!(said(&live, Some(100), 0), None, "the clock was set back");
    }

    #[test]
    fn an_answer_is_expected_as_long_as_those_before_it_or_as_the_topic_asks() {
        let mut journal = Journal::new(opening());
        let (review, judge) = (|round| Step::Review { round }, |concern| Step::Judge { round: 1, concern });
        assert_eq!(expected(&journal, Step::Draft), Some(350), "250-400 words are asked for");
        assert_eq!(expected(&journal, review(1)), None);
        let draft = || Outcome::Draft(Draft { article: article("x"), stripped: vec![], undone: vec![] });
        let mut had = |step, tokens| {
            let usage = Usage { completion_tokens: Some(tokens), ..Usage::default() };
            journal.push(Entry { step, outcome: draft(), at: "t".into(), usage, shown: None });
        };
        had(Step::Draft, 90);
        had(judge(1), 40);
        had(judge(2), 60);
        add(&mut journal, review(1), draft());
        let step = |step| expected(&journal, step);
        assert_eq!(step(Step::Revise { round: 1 }), Some(90));
        assert_eq!(step(judge(3)), Some(50));
        assert_eq!(step(review(2)), None, "the server did not say");
    }
}
