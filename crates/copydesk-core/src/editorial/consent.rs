//! Calls of the Reporter that act: when a person is asked about one, and what follows from the answer.
//!
//! The person is asked before a call is made, unless the configuration allows its tool. They are asked again if the program or the server
//! stopped in it, so that it is unknown whether it was done. No call is made twice: a yes to this second question lets the Reporter ask for
//! the call anew.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::skills::LOAD_SKILL;
use copydesk_newsroom::{Choice, Decision, Gates, Journal, Outcome, ResearchErrand, Step, ToolCall, Wait};
use copydesk_text::{
    sanitise,
    words::{fold, words},
};

/// Tools whose calls leave this machine only as every search of the knowledge base does.
const STAY_HERE: [&str; 2] = ["search_knowledge_base", LOAD_SKILL];

/// Words of so many letters, such as `of` and `the`, betray nothing.
const SHORT: usize = 3;

/// Most characters of a refused text that the model is shown.
const LONGEST_SHOWN: usize = 200;

/// A question to a person about a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallQuestion {
    /// Whether it may be made.
    May,
    /// Whether it was done, and so whether it may be made again.
    Done,
}

/// The open question about a call. None if the desk waits for no answer about it.
pub fn question(journal: &Journal, step: Step) -> Option<CallQuestion> {
    let Step::Tool { errand, turn, call } = step else { return None };
    if journal.opening.gates != Gates::Editor {
        return None;
    }
    // The call was marked when the Reporter asked for it.
    let must_ask = || journal.turn(errand, turn).is_some_and(|done| done.asks.contains(&call));
    match journal.tool(errand, turn, call) {
        None if !must_ask() || decided(journal, step).is_some() => None,
        None => Some(CallQuestion::May),
        Some(result) => (result.unknown && answer(journal, step).is_none()).then_some(CallQuestion::Done),
    }
}

/// Where the run waits for a person's word on a call: everything else of its turn is done.
pub fn waiting(journal: &Journal) -> Option<Wait> {
    journal.opening.research?;
    let latest = journal.entries().iter().rev().find_map(|entry| match (entry.step, &entry.outcome) {
        (Step::Turn { errand, turn }, Outcome::Turn(done)) => Some((errand, turn, done)),
        _ => None,
    });
    let (errand, turn, done) = latest?;
    let calls = (1..).zip(&done.calls).map(|(call, _)| call);
    let asked = |call: &u32| question(journal, Step::Tool { errand, turn, call: *call }).is_some();
    let open = |call: &u32| journal.tool(errand, turn, *call).is_none() && !asked(call);
    if calls.clone().any(|call| open(&call)) {
        return None;
    }
    calls.clone().find(asked).map(|call| Wait::Call { errand, turn, call })
}

/// The call of a step.
pub fn call(journal: &Journal, step: Step) -> Option<&ToolCall> {
    let Step::Tool { errand, turn, call } = step else { return None };
    journal.turn(errand, turn)?.calls.get(usize::try_from(call.checked_sub(1)?).ok()?)
}

/// The answer to the question whether a call may be made.
pub fn decided(journal: &Journal, step: Step) -> Option<&Decision> {
    let made = place(journal, step).unwrap_or(usize::MAX);
    answers(journal, step).find(|(place, _)| *place < made).map(|(_, decision)| decision)
}

/// The answer to the question whether a call was done, which is asked if that is unknown.
pub fn answer(journal: &Journal, step: Step) -> Option<&Decision> {
    let made = place(journal, step)?;
    answers(journal, step).find(|(place, _)| *place > made).map(|(_, decision)| decision)
}

/// Whether a person allowed the call.
pub fn is_allowed(journal: &Journal, step: Step) -> bool {
    decided(journal, step).is_some_and(|decision| matches!(decision.choice, Choice::Call { allows: true, .. }))
}

/// The editor's refusal of a call, which the Reporter reads instead of a result; none if the call was not refused.
pub fn refusal(journal: &Journal, step: Step) -> Option<String> {
    let Choice::Call { allows: false, note, .. } = &decided(journal, step)?.choice else { return None };
    Some(format!("The editor does not allow this call{} Do not ask for it again.", behind(note)))
}

/// Why a specialist's call is not made: it would send words away that do not stand in the draft, and so may be a source's. A page may be
/// opened if its address stands in the draft, or a call of the same errand brought it.
pub fn withheld(journal: &Journal, step: Step) -> Option<String> {
    let Step::Tool { errand: errand @ ResearchErrand::Check { round, .. }, turn, .. } = step else { return None };
    let call = call(journal, step).filter(|call| !STAY_HERE.contains(&call.name.as_str()))?;
    let mut public = vec![journal.opening.topic.source_metadata.topic_title.clone()];
    public.extend(journal.draft(round)?.article.fields().into_iter().map(|(_, text)| text.to_owned()));
    let mut sent = Vec::new();
    texts(&serde_json::from_str(&call.arguments).ok()?, &mut sent);
    let (addresses, sent): (Vec<String>, Vec<String>) = sent.into_iter().partition(|text| text.contains("://"));
    let brought = (1..turn).flat_map(|turn| (1..).map_while(move |call| journal.tool(errand, turn, call)));
    let brought: Vec<&str> =
        brought.map(|result| result.text.as_str()).chain(public.iter().map(String::as_str)).collect();
    if let Some(address) = addresses.iter().find(|address| !brought.iter().any(|text| text.contains(address.trim()))) {
        let address = sanitise::excerpt(address, LONGEST_SHOWN);
        return Some(format!(
            "{address} stands neither in the draft nor in a result. Open an address that a search brought."
        ));
    }
    let known: BTreeSet<String> = public.iter().flat_map(|text| words(text)).map(|word| fold(word.text)).collect();
    let mut strange: Vec<&str> = sent.iter().flat_map(|text| words(text)).map(|word| word.text).collect();
    let tells = |word: &str| word.chars().count() > SHORT || word.contains(|c: char| c.is_ascii_digit());
    strange.retain(|word| tells(word) && !known.contains(&fold(word)));
    let strange = sanitise::excerpt(&strange.join(", "), LONGEST_SHOWN);
    (!strange.is_empty()).then(|| {
        format!(
            "Only words of the draft may leave this machine. These do not stand there: {strange}. Ask without them."
        )
    })
}

/// Every text in the arguments of a call.
fn texts(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::String(text) => into.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| texts(value, into)),
        Value::Object(values) => values.values().for_each(|value| texts(value, into)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The editor's word on whether a call was done, which the Reporter reads beside the result. None if the editor has given none.
pub fn word_on(journal: &Journal, errand: ResearchErrand, turn: u32, call: u32) -> Option<String> {
    let Choice::Call { allows, note, .. } = &answer(journal, Step::Tool { errand, turn, call })?.choice else {
        return None;
    };
    let said = if *allows { "it was not done: you may ask for it once more" } else { "do not ask for it again" };
    Some(format!("The editor has looked: {said}{}", behind(note)))
}

fn behind(note: &str) -> String {
    let note = note.split_whitespace().collect::<Vec<_>>().join(" ");
    if note.is_empty() { ".".to_owned() } else { format!(": {}.", note.trim_end_matches('.')) }
}

fn place(journal: &Journal, step: Step) -> Option<usize> {
    journal.entries().iter().position(|entry| entry.step == step)
}

fn answers(journal: &Journal, step: Step) -> impl Iterator<Item = (usize, &Decision)> {
    journal.entries().iter().enumerate().filter_map(move |(place, entry)| match &entry.outcome {
        Outcome::Decision(decision) if matches!(decision.choice, Choice::Call { call, .. } if call == step) => {
            Some((place, decision))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editorial::{
        choices,
        decisions::waits,
        next_steps::next_steps,
        testing::{add, opening},
    };
    use copydesk_newsroom::{ErrandLimits, Opening, ResearchRules, ResearchTurn, ToolResult};

    const ERRAND: ResearchErrand = ResearchErrand::Pass(1);
    const POST: Step = Step::Tool { errand: ERRAND, turn: 1, call: 2 };

    /// A turn that reads a page and wants to post.
    fn asked(gates: Gates) -> Journal {
        let limits = ErrandLimits::NONE;
        let rules = ResearchRules { assigned: true, triages: false, passes: 1, turns: 3, calls: 4, limits };
        let mut journal = Journal::new(Opening { research: Some(rules), gates, ..opening() });
        add(&mut journal, Step::Plan, Outcome::Questions(vec!["Who?".into()]));
        let call = |id: &str| ToolCall { id: id.into(), name: "post".into(), arguments: "{}".into() };
        let turn = ResearchTurn { calls: vec![call("a"), call("b")], asks: vec![2], ..ResearchTurn::default() };
        add(&mut journal, Step::Turn { errand: ERRAND, turn: 1 }, Outcome::Turn(turn));
        journal
    }

    fn decide(journal: &mut Journal, allows: bool, note: &str) {
        let choice = Choice::Call { call: POST, allows, note: note.into() };
        let (step, choice) = choices::admit(journal, true, choice, None).unwrap();
        add(journal, step, Outcome::Decision(Decision { by: "Ada".into(), choice }));
    }

    #[test]
    fn only_words_of_the_draft_leave_this_machine_with_a_specialists_call() {
        use crate::editorial::testing::add_round;
        use copydesk_newsroom::Specialist;
        let mut journal = Journal::new(opening());
        add_round(&mut journal, 1, &[Specialist::FactCheck]);
        let errand = ResearchErrand::Check { round: 1, concern: 1 };
        let mut withheld = |turn: u32, name: &str, arguments: &str| {
            let call = ToolCall { id: "a".into(), name: name.into(), arguments: arguments.into() };
            let turned = ResearchTurn { calls: vec![call], ..ResearchTurn::default() };
            add(&mut journal, Step::Turn { errand, turn }, Outcome::Turn(turned));
            let step = Step::Tool { errand, turn, call: 1 };
            let said = super::withheld(&journal, step);
            let text = "1. https://a.example/page".into();
            add(&mut journal, step, Outcome::Tool(ToolResult { text, ..ToolResult::default() }));
            said
        };
        // The draft is “Draft 1 with an x.”
        assert_eq!(withheld(1, "search_web", r#"{"query": "the draft, 1 of it", "count": 77}"#), None);
        let said = withheld(2, "search_web", r#"{"query": "draft Jane", "more": ["42"]}"#).unwrap();
        assert!(said.contains("do not stand there: Jane, 42."), "{said}");
        assert_eq!(withheld(3, "search_knowledge_base", r#"{"query": "Jane"}"#), None);
        assert_eq!(withheld(4, "fetch_content", r#"{"url": "https://a.example/page"}"#), None);
        let said = withheld(5, "fetch_content", r#"{"url": "https://a.example/page?q=Jane"}"#).unwrap();
        assert!(said.contains("neither in the draft nor in a result"), "{said}");
    }

    #[test]
    fn an_editor_is_asked_once_the_other_calls_are_done_and_decides_nothing_else_meanwhile() {
        let mut journal = asked(Gates::Editor);
        let read = Step::Tool { errand: ERRAND, turn: 1, call: 1 };
        assert_eq!((next_steps(&journal), waits(&journal)), (vec![read], None));
        add(&mut journal, read, Outcome::Tool(ToolResult::default()));
        let wait = Wait::Call { errand: ERRAND, turn: 1, call: 2 };
        assert_eq!((next_steps(&journal), waits(&journal)), (vec![], Some(wait)));
        assert_eq!(wait.to_string().parse(), Ok(wait));
        let refused = |choice| choices::check(&journal, &choice).unwrap_err().to_string();
        assert!(refused(Choice::Continue).contains("Continuing is possible only once you have allowed or refused"));
        assert!(refused(Choice::Call { call: read, allows: true, note: String::new() }).contains("another call"));
        let mut no = journal.clone();
        decide(&mut no, false, "Not  now.");
        assert_eq!(next_steps(&no), [POST], "the refusal is its result");
        assert_eq!(
            refusal(&no, POST).as_deref(),
            Some("The editor does not allow this call: Not now. Do not ask for it again.")
        );
        decide(&mut journal, true, "");
        assert_eq!((next_steps(&journal), waits(&journal)), (vec![POST], None));
        assert!(is_allowed(&journal, POST) && !is_allowed(&no, POST));
        add(&mut journal, POST, Outcome::Tool(ToolResult::default()));
        assert_eq!((next_steps(&journal), waits(&journal)), (vec![Step::Turn { errand: ERRAND, turn: 2 }], None));
    }

    #[test]
    fn a_call_of_which_nobody_knows_whether_it_was_done_is_asked_about_again() {
        let mut journal = asked(Gates::Editor);
        add(&mut journal, Step::Tool { errand: ERRAND, turn: 1, call: 1 }, Outcome::Tool(ToolResult::default()));
        decide(&mut journal, true, "");
        add(&mut journal, POST, Outcome::Tool(ToolResult::unknown("post", "the program stopped")));
        assert_eq!(question(&journal, POST), Some(CallQuestion::Done));
        assert!(waits(&journal).is_some() && next_steps(&journal).is_empty());
        let mut done = journal.clone();
        decide(&mut done, false, "It is out.");
        assert_eq!(next_steps(&done), [Step::Turn { errand: ERRAND, turn: 2 }]);
        assert_eq!(
            word_on(&done, ERRAND, 1, 2).as_deref(),
            Some("The editor has looked: do not ask for it again: It is out.")
        );
        decide(&mut journal, true, "");
        assert_eq!(
            word_on(&journal, ERRAND, 1, 2).as_deref(),
            Some("The editor has looked: it was not done: you may ask for it once more.")
        );
    }

    #[test]
    fn without_an_editor_nobody_is_asked() {
        let journal = asked(Gates::Auto);
        assert_eq!(next_steps(&journal).len(), 2);
        assert_eq!(waits(&journal), None);
        assert_eq!((decided(&journal, POST), refusal(&journal, POST)), (None, None));
    }
}
