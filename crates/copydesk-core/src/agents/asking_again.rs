//! The question after a call that was of no use: the same prompt, then the model's own answer, then the fault of that answer.
//! After an overflow it is the prompt with less of the sources.
//!
//! Both are pure functions of the question before and of the stored call. So a resumed run asks the same.

use super::{Agents, ask, control_tokens, material::Windows, research, with_tools};
use crate::ports::{Ask, CallError};
use copydesk_newsroom::{Agent, Answer, Journal, Message, Part, Prompt, Role, Step};
use copydesk_text::{
    sanitise,
    wrapping::{Wrapping, unwrap},
};

/// Names of the parts that an earlier attempt left in a prompt.
const ANSWER: &str = "unusable answer";
const REASON: &str = "what was wrong";

/// Most characters of an answer that are sent back: the first that fits the window.
const LONGEST: [usize; 2] = [6_000, 1_500];

/// Most characters of the description of a fault.
const LONGEST_REASON: usize = 400;

impl Agents {
    /// Returns the question after an attempt that failed with this error, with the fault, if that helps the model. None if the question
    /// stays as before, or if nothing more fits its window.
    pub fn ask_again(&self, before: &Ask, answer: Option<&Answer>, error: &str) -> Option<Ask> {
        let wrong = what_was_wrong(error)?;
        let form = if before.schema.is_some() {
            "Answer again with the whole JSON that was asked for"
        } else {
            "Answer again in the form that was asked for"
        };
        let told = control_tokens::broken(&format!("{wrong} {form}, and nothing else.")).into_owned();
        let first = without_earlier(&before.prompt);
        let said = answer.map(|answer| said(&answer.text)).filter(|said| !sanitise::is_blank(said));
        let with_answer =
            said.iter().flat_map(|said| LONGEST.map(|most| with(&first, Some(&shortened(said, most)), &told)));
        let mut ways = with_answer.chain([with(&first, None, &told)]);
        let prompt = ways.find(|prompt| self.fits(before.agent, prompt))?;
        // The same sampling would lead a small model into the same circle.
        let varied = error.contains(CallError::REPEATS);
        Some(Ask { prompt: Prompt { varied, ..prompt }, ..before.clone() })
    }

    /// Returns the question of a step with less of the sources, after a server said that the prompt is longer than its context. None if
    /// there is nothing to leave out, or if the error is another.
    pub fn ask_with_less(&self, journal: &Journal, step: Step, before: &Ask, error: &str) -> Option<Ask> {
        let Self::Models { prompts, styles, windows, .. } = self else { return None };
        let (sent, window) = CallError::overflow_in(error)?;
        let own = windows.of(&before.prompt);
        let most = match (sent, window) {
            // By the server's own count, and a quarter of its context for the answer.
            (Some(sent), Some(window)) if sent > 0 => {
                let room = window.saturating_sub(window / 4).min(sent);
                u64::try_from(u128::from(own) * u128::from(room) / u128::from(sent)).unwrap_or(u64::MAX)
            }
            (_, Some(window)) => (own / 2).min(window.saturating_sub(window / 4)),
            (_, None) => own / 2,
        };
        let mut narrow: Windows = windows.clone();
        narrow.prompts.insert(before.agent, most.min(own.saturating_sub(1)));
        let style = styles.get(&journal.opening.topic.style_mode)?;
        let less = match step {
            Step::Turn { errand, .. } if errand.serves().is_some() => {
                with_tools(prompts, styles, &narrow, journal, step, &before.prompt.tools)?
            }
            Step::Plan | Step::Turn { .. } | Step::Coverage { .. } | Step::Triage { .. } => {
                research::ask(prompts, &narrow, journal, step, &before.prompt.tools)?
            }
            _ => ask(prompts, &narrow, style, journal, step)?,
        };
        (windows.of(&less.prompt) < own).then_some(less)
    }

    /// Whether a prompt fits the window of an agent's model.
    fn fits(&self, agent: Agent, prompt: &Prompt) -> bool {
        match self {
            Self::Offline => true,
            Self::Models { windows, .. } => windows
                .prompts
                .get(&agent)
                .is_none_or(|most| prompt.bytes() as u64 <= *most || windows.of(prompt) <= *most),
        }
    }
}

/// Returns the fault of the last answer in sentences for the model; none if the model can do nothing about it.
fn what_was_wrong(error: &str) -> Option<String> {
    if let Some(why) = error.strip_prefix(CallError::UNUSABLE) {
        let why = sanitise::excerpt(why, LONGEST_REASON);
        let once = if error.contains(CallError::REPEATS) { " Say each thing once." } else { "" };
        return Some(format!("Your last answer cannot be used: {}.{once}", why.trim_end_matches('.')));
    }
    error
        .starts_with(CallError::CUT)
        .then(|| "Your last answer was cut off because it was too long. Be shorter.".to_owned())
}

/// An answer as the model is shown it: without its reasoning, which templates do not expect there.
fn said(text: &str) -> String {
    let unwrapped = unwrap(text);
    let thought = unwrapped.taken_off.iter().any(|wrapping| matches!(wrapping, Wrapping::Thinking(_)));
    let said = if thought { unwrapped.text } else { sanitise::clean(text).trim().to_owned() };
    control_tokens::broken(&said).into_owned()
}

/// The beginning of a text, cut with an ellipsis.
fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{} …", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// The prompt as it was before anything was told of an earlier attempt.
fn without_earlier(prompt: &Prompt) -> Prompt {
    let mut prompt = prompt.clone();
    for message in &mut prompt.messages {
        message.parts.retain(|part| part.name != ANSWER && part.name != REASON);
    }
    prompt
        .messages
        .retain(|message| !message.parts.is_empty() || !message.calls.is_empty() || message.answers.is_some());
    prompt
}

/// Returns the prompt with an answer and its fault. Without the answer, the last user's message has the fault: many models take turns only.
fn with(first: &Prompt, answer: Option<&str>, told: &str) -> Prompt {
    let mut prompt = first.clone();
    let part = |name: &str, text: String| Part { name: name.to_owned(), text };
    if let Some(answer) = answer {
        prompt.messages.push(Message::new(Role::Assistant, vec![part(ANSWER, answer.to_owned())]));
    }
    match prompt.messages.last_mut().filter(|last| last.role == Role::User) {
        Some(last) => last.parts.push(part(REASON, format!("\n\n{told}"))),
        None => prompt.messages.push(Message::new(Role::User, vec![part(REASON, told.to_owned())])),
    }
    prompt
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::{
        agents::{Prompts, reading::UnusableAnswer, template::tests::shipped},
        editorial::testing::opening,
        ports::Schema,
    };

    fn agents(most: Option<u64>) -> Agents {
        let windows = Windows {
            encoding: "o200k_base".into(),
            prompts: most.map(|most| (Agent::Writer, most)).into_iter().collect(),
            sources: None,
        };
        let styles = HashMap::from([(opening().topic.style_mode, "Plain words.".to_owned())]);
        Agents::Models { prompts: Prompts::new(&shipped()).unwrap(), styles, windows, second_opinion: None }
    }

    fn question() -> Ask {
        let message = |role, text: &str| Message::new(role, vec![Part { name: "p".into(), text: text.into() }]);
        let prompt = Prompt::new(vec![message(Role::System, "Write."), message(Role::User, "The park.")]);
        let schema = Some(Schema { name: "any", schema: serde_json::json!({}) });
        Ask { agent: Agent::Writer, prompt, schema, shown: None }
    }

    fn answer(text: &str) -> Answer {
        Answer { text: text.into(), ..Answer::default() }
    }

    fn texts(ask: &Ask) -> Vec<(Role, String)> {
        ask.prompt.messages.iter().skip(1).map(|message| (message.role, message.text())).collect()
    }

    const WRONG: &str = "the answer cannot be used: missing field `headline`";

    #[test]
    fn the_model_is_told_what_was_wrong_with_its_own_answer() {
        let first = question();
        let told = "Your last answer cannot be used: missing field `headline`. Answer again with the whole JSON that was asked for, and nothing else.";
        let again = agents(None).ask_again(&first, Some(&answer("<think>hm</think>{}<|im_end|>")), WRONG).unwrap();
        let expected =
            [(Role::User, "The park.".to_owned()), (Role::Assistant, "{}".into()), (Role::User, told.into())];
        assert_eq!(texts(&again), expected);
        let third = agents(None).ask_again(&again, Some(&answer("[]")), WRONG).unwrap();
        assert_eq!(texts(&third)[1].1, "[]", "only the last answer");
        assert_eq!(third.prompt.messages.len(), 4);
        let silent = agents(None).ask_again(&third, None, WRONG).unwrap();
        assert_eq!(texts(&silent), [(Role::User, format!("The park.\n\n{told}"))], "no two turns of the user");
        let cut = CallError::EndedEarly { max_tokens: 9 }.to_string();
        assert!(texts(&agents(None).ask_again(&first, None, &cut).unwrap())[0].1.contains("Be shorter."));
        let down = CallError::CutOff { host: "h".into() }.to_string();
        assert!(agents(None).ask_again(&first, None, &down).is_none(), "nothing the model could do");
        assert!(UnusableAnswer::new("x").to_string().starts_with(CallError::UNUSABLE));
        assert!(CallError::NothingSaid { detail: "x".into() }.to_string().starts_with(CallError::UNUSABLE));
    }

    #[test]
    fn after_an_answer_in_a_circle_the_next_is_drawn_otherwise() {
        let first = question();
        let circle = UnusableAnswer::new(format!("{}, so it was cut off: “x”", CallError::REPEATS)).to_string();
        let again = agents(None).ask_again(&first, None, &circle).unwrap();
        assert!(again.prompt.varied && texts(&again)[0].1.contains("Say each thing once."));
        let third = agents(None).ask_again(&again, Some(&answer("{}")), WRONG).unwrap();
        assert!(!third.prompt.varied, "another fault, the usual sampling");
    }

    #[test]
    fn what_does_not_fit_the_window_is_left_out() {
        let first = question();
        let long = answer(&"word ".repeat(2_000));
        let length = |most| agents(Some(most)).ask_again(&first, Some(&long), WRONG).map(|ask| ask.prompt.bytes());
        assert!(length(10_000).unwrap() > 6_000);
        assert!((1_500..2_500).contains(&length(500).unwrap()));
        assert!(length(120).unwrap() < 500);
        assert_eq!(length(40), None);
    }

    #[test]
    fn after_an_overflow_there_is_less_of_the_source() {
        let mut opening = opening();
        let item = |n: usize| format!("On item {n} the council voted for lamp {n} of the park. ");
        opening.topic.source_text = (0..400).map(item).collect();
        let journal = Journal::new(opening);
        let agents = agents(None);
        let Some(super::super::Plan::Ask(first)) = agents.plan(&journal, Step::Draft) else { panic!("no question") };
        let overflow = |sent, window| {
            let error = CallError::Overflow { host: "h".into(), sent, window, detail: "too long".into() };
            agents.ask_with_less(&journal, Step::Draft, &first, &error.to_string()).unwrap()
        };
        let Agents::Models { windows, .. } = &agents else { unreachable!() };
        let own = windows.of(&first.prompt);
        let by_numbers = overflow(Some(own * 2), Some(own * 2 - 200));
        assert!(windows.of(&by_numbers.prompt) <= own * 3 / 4);
        assert!(by_numbers.shown.is_some(), "the run says that the source was not shown whole");
        assert!(windows.of(&overflow(None, None).prompt) <= own / 2);
        assert!(agents.ask_with_less(&journal, Step::Draft, &first, WRONG).is_none());
    }
}
