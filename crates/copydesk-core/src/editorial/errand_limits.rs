//! The limits of an errand of the Reporter. Once one is used up, the errand's next turn is the last, without tools.
//!
//! Only the journal decides, so that a resumed run, a fork and a replay come to the same. Tokens are those of the texts, not those that
//! servers counted: not every server counts, and a fork has paid for nothing that it took over.

use jiff::Timestamp;

use copydesk_newsroom::{Entry, ErrandLimits, Journal, ResearchErrand, ResearchTurn, Step, ToolResult};
use copydesk_text::{count, thousands, tokens};

/// The tokens that are counted. The setting may change between two parts of a run, and this must not.
const ENCODING: &str = "o200k_base";

/// The longest time between two steps that counts, in milliseconds: ten minutes. A longer time is a pause, a closed program or a fork of
/// another day, without work.
const LONGEST_GAP: i64 = 10 * 60 * 1000;

/// Turns that a prompt always holds whole.
const WHOLE: usize = 2;

/// Why a turn is the last one of its errand, in a sentence for the Reporter; none if it is not. Empty if all turns are used up: their number
/// is in the task.
pub fn end(journal: &Journal, errand: ResearchErrand, turn: u32) -> Option<String> {
    let rules = journal.opening.research?;
    let ErrandLimits { tokens, bytes, minutes, .. } = rules.limits;
    if turn >= rules.turns {
        return Some(String::new());
    }
    let turns: Vec<DoneTurn<'_>> = (1..turn).map_while(|number| DoneTurn::of(journal, errand, number)).collect();
    let over_tokens = |limit: &u64| self::tokens(&turns, rules.limits.conversation_tokens) >= *limit;
    let over_bytes = |limit: &u64| turns.iter().map(DoneTurn::bytes).sum::<u64>() >= *limit;
    let over_time = |limit: &u32| milliseconds(journal, errand) >= i64::from(*limit) * 60_000;
    let brought = |kb: u64| format!("The {} kilobytes that this errand may bring are used up.", thousands(kb));
    let took = |limit: u32| format!("The time of this errand, {}, is over.", count(limit, "minute"));
    let read = |limit: u64| format!("The {} tokens of this errand are used up.", thousands(limit));
    bytes
        .filter(over_bytes)
        .map(|limit| brought(limit >> 10))
        .or_else(|| minutes.filter(over_time).map(took))
        .or_else(|| tokens.filter(over_tokens).map(read))
}

/// A turn with what came of its calls.
struct DoneTurn<'j> {
    turn: &'j ResearchTurn,
    results: Vec<&'j ToolResult>,
}

impl<'j> DoneTurn<'j> {
    fn of(journal: &'j Journal, errand: ResearchErrand, number: u32) -> Option<Self> {
        let turn = journal.turn(errand, number)?;
        let results = (1..).map_while(|call| journal.tool(errand, number, call)).collect();
        Some(Self { turn, results })
    }

    fn bytes(&self) -> u64 {
        let found = |result: &&ToolResult| result.found.iter().map(|found| found.text.len()).sum::<usize>();
        self.results.iter().map(|result| (result.text.len() + found(result)) as u64).sum()
    }

    /// Tokens of what the model wrote.
    fn written(&self) -> u64 {
        let calls = self.turn.calls.iter().map(|call| of_text(&call.name) + of_text(&call.arguments));
        of_text(&self.turn.said) + calls.sum::<u64>()
    }
}

fn of_text(text: &str) -> u64 {
    tokens::count(ENCODING, text)
}

/// The tokens that the turns have read and written: each turn reads those before it, as far as a prompt holds them.
fn tokens(turns: &[DoneTurn<'_>], held: Option<u64>) -> u64 {
    let mut sizes: Vec<u64> = Vec::new();
    let mut all = 0;
    for done in turns {
        let before: u64 = sizes.iter().sum();
        let whole: u64 = sizes.iter().rev().take(WHOLE).sum();
        let written = done.written();
        all += before.min(held.unwrap_or(u64::MAX).max(whole)) + written;
        sizes.push(written + done.results.iter().map(|result| of_text(&result.text)).sum::<u64>());
    }
    all
}

/// How long the errand's steps have taken, waiting included.
fn milliseconds(journal: &Journal, errand: ResearchErrand) -> i64 {
    let is_its =
        |step: Step| matches!(step, Step::Turn { errand: of, .. } | Step::Tool { errand: of, .. } if of == errand);
    let at = |text: &str| text.parse::<Timestamp>().ok().map(Timestamp::as_millisecond);
    let entries = journal.entries();
    let gap = |(before, entry): (&str, &Entry)| Some(at(&entry.at)?.saturating_sub(at(before)?).clamp(0, LONGEST_GAP));
    let before =
        std::iter::once(journal.opening.opened_at.as_str()).chain(entries.iter().map(|entry| entry.at.as_str()));
    before.zip(entries).filter(|(_, entry)| is_its(entry.step)).filter_map(gap).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::testing::opening;
    use copydesk_newsroom::{Opening, Outcome, ResearchRules, ToolCall, Usage};

    const ERRAND: ResearchErrand = ResearchErrand::Pass(1);

    /// Two turns of one call each: the first result has 4 tokens, the second 2,000; a minute and a night between the entries.
    fn researched(limits: ErrandLimits) -> Journal {
        let rules = ResearchRules { assigned: true, triages: false, passes: 1, turns: 9, calls: 4, limits };
        let mut journal = Journal::new(Opening { research: Some(rules), ..opening() });
        let call = ToolCall { id: "a".into(), name: "search_web".into(), arguments: "{}".into() };
        let turn = || Outcome::Turn(ResearchTurn { calls: vec![call.clone()], ..ResearchTurn::default() });
        let result = |text: &str| Outcome::Tool(ToolResult { text: text.into(), ..ToolResult::default() });
        let steps = [
            (Step::Plan, Outcome::Questions(vec!["Who?".into()]), "2026-10-06T12:00:00Z"),
            (Step::Turn { errand: ERRAND, turn: 1 }, turn(), "2026-10-06T12:01:00Z"),
            (Step::Tool { errand: ERRAND, turn: 1, call: 1 }, result("one two three four"), "2026-10-06T12:02:00Z"),
            (Step::Turn { errand: ERRAND, turn: 2 }, turn(), "2026-10-07T09:00:00Z"),
            (Step::Tool { errand: ERRAND, turn: 2, call: 1 }, result(&"word ".repeat(2_000)), "2026-10-07T09:00:30Z"),
        ];
        for (step, outcome, at) in steps {
            journal.push(Entry { step, outcome, at: at.into(), usage: Usage::default(), shown: None });
        }
        journal
    }

    #[test]
    fn an_errand_ends_with_whatever_is_used_up_first() {
        let end = |limits: ErrandLimits, turn: u32| end(&researched(limits), ERRAND, turn);
        assert_eq!((end(ErrandLimits::NONE, 3), end(ErrandLimits::NONE, 9)), (None, Some(String::new())));
        let minutes = |minutes| ErrandLimits { minutes: Some(minutes), ..ErrandLimits::NONE };
        let time = "The time of this errand, 12 minutes, is over.";
        assert_eq!(end(minutes(12), 3).as_deref(), Some(time), "a night counts as ten minutes");
        assert_eq!(end(minutes(13), 3), None);
        let bytes = |bytes| ErrandLimits { bytes: Some(bytes), ..ErrandLimits::NONE };
        let kilobytes = "The 9 kilobytes that this errand may bring are used up.";
        assert_eq!((end(bytes(10_018), 3).as_deref(), end(bytes(10_019), 3)), (Some(kilobytes), None));
        assert_eq!(end(bytes(10_018), 2), None, "what is still to come does not count");
        // The second turn reads the first result; nobody has read the second yet.
        let tokens = |tokens| ErrandLimits { tokens: Some(tokens), ..ErrandLimits::NONE };
        let read = "The 6 tokens of this errand are used up.";
        assert_eq!((end(tokens(6), 2), end(tokens(6), 3).as_deref()), (None, Some(read)));
        assert_eq!(end(tokens(100), 3), None);
    }
}
