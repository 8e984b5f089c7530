//! The texts of a call: the prompt, then the answer or the reason why it was rejected.

use crate::app::CallLayout;
use crate::widgets::highlight::SyntaxKind as Kind;
use crate::widgets::{Page, Picked, Sheet, TextRole, highlight, words};
use copydesk_core::agents::reading_notes;
use copydesk_core::ports::{CallRow, CallText};
use copydesk_newsroom::{Message, Step, ToolCall};

/// The page of a call: `raw`, exactly as sent and received, or formatted. A long text may take a while.
pub fn page(call: &CallText, step: Step, raw: bool) -> Page {
    let mut sheet = Sheet::default();
    let mut part = |title: &str, body: &str, kind: Kind| {
        sheet.line(title, TextRole::Heading);
        sheet.add_marked(body, if raw { Vec::new() } else { highlight::highlight(body, kind) });
        sheet.add("\n\n", TextRole::Text);
    };
    let answered = |text: &str| if raw { (text.to_owned(), Kind::Plain) } else { highlight::pretty(text) };
    if let Some(error) = &call.error {
        part("Rejected", error, Kind::Plain);
    }
    if let Some(at) = &call.removed_at {
        let said = format!(
            "Retention removed the prompt and the answer on {} (`copydesk gc`). Still recorded: who asked which model, when, how many \
             tokens it took, and digests of both texts.",
            words::day_and_time(at)
        );
        part("Removed", &said, Kind::Plain);
    }
    for message in &call.prompt.messages {
        part(&format!("Sent ({})", message.speaker()), &Message::with_calls(message), Kind::Markdown);
    }
    if let Some(tools) = call.prompt.tools_text() {
        part("Tools offered", &tools, Kind::Plain);
    }
    match &call.answer {
        None if call.removed_at.is_some() => {}
        None => part("Received", "nothing", Kind::Plain),
        Some(answer) if answer.text.is_empty() && !answer.calls.is_empty() => {}
        Some(answer) => {
            let (text, kind) = answered(&answer.text);
            part("Received", &text, kind);
        }
    }
    if let Some(answer) = call.answer.as_ref().filter(|answer| answer.calls.is_empty()) {
        let notes: Vec<String> = reading_notes(step, &answer.text).iter().map(ToString::to_string).collect();
        if !notes.is_empty() {
            part("Read with", &notes.join("\n"), Kind::Plain);
        }
    }
    for asked in call.answer.iter().flat_map(|answer| &answer.calls) {
        let (text, kind) = answered(&asked.arguments);
        part(&format!("Calls {} ({})", asked.name, ToolCall::short_id(&asked.id)), &text, kind);
    }
    for citation in call.answer.iter().flat_map(|answer| &answer.citations) {
        part("Cited", citation, Kind::Plain);
    }
    sheet.into_page()
}

#[derive(Debug, Clone, Default)]
pub struct CallsPage {
    pub list: Picked<CallRow>,
    /// The texts of the selected call, once they are read.
    pub texts: Option<Box<CallText>>,
    /// The texts as they are shown.
    pub page: Page,
    /// Whether keys move in the text, not in the list.
    pub in_text: bool,
    /// Whether calls are shown as they were sent and received.
    pub raw: bool,
}

impl CallsPage {
    /// The selected call as it is to be shown.
    pub fn laid(&self) -> Option<CallLayout> {
        let call = self.list.row()?;
        Some(CallLayout { run: call.run, step: call.step, attempt: call.attempt, raw: self.raw })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_newsroom::{Answer, Part, Prompt, Role, Tool, ToolEffect};

    #[test]
    fn a_call_whose_texts_retention_removed_says_so() {
        let part = Part { name: "template".into(), text: "You write.".into() };
        let prompt = Prompt::new(vec![Message::new(Role::System, vec![part])]);
        let answer = Some(Answer { text: "An answer.".into(), ..Answer::default() });
        let there = CallText { prompt, answer, error: None, removed_at: None };
        assert_eq!(&**page(&there, Step::Draft, true).text(), "Sent (system)\nYou write.\n\nReceived\nAn answer.\n\n");
        let gone = CallText {
            prompt: Prompt::new(vec![]),
            answer: None,
            error: Some("no JSON".into()),
            removed_at: Some("2026-10-06T12:00:00.000Z".into()),
        };
        let said = page(&gone, Step::Draft, false).text().to_string();
        assert!(said.starts_with(
            "Rejected\nno JSON\n\nRemoved\nRetention removed the prompt and the answer on 6 Oct 2026 12:00"
        ));
        assert!(!said.contains("Received"), "{said}");
    }

    #[test]
    fn what_was_taken_off_an_answer_is_said() {
        let answer = Some(Answer { text: "<think>All is well.</think>\nNo concerns.".into(), ..Answer::default() });
        let call = CallText { prompt: Prompt::new(vec![]), answer, error: None, removed_at: None };
        let shown = page(&call, Step::Review { round: 1 }, true).text().to_string();
        assert!(shown.ends_with("No concerns.\n\nRead with\ntaken off: 3 words of thinking\n\n"), "{shown}");
    }

    #[test]
    fn a_turn_shows_the_tools_the_calls_and_their_results() {
        let call = ToolCall { id: "a".into(), name: "search".into(), arguments: r#"{"q":"park"}"#.into() };
        let part = Part { name: "p".into(), text: "Nothing.".into() };
        let mut prompt = Prompt::new(vec![
            Message { calls: vec![call.clone()], ..Message::new(Role::Assistant, vec![]) },
            Message { answers: Some("a".into()), ..Message::new(Role::Tool, vec![part]) },
        ]);
        prompt.tools.push(Tool {
            name: "search".into(),
            description: "Searches.".into(),
            parameters: serde_json::json!({"type": "object"}),
            effect: ToolEffect::Reads,
        });
        let answer = Some(Answer { calls: vec![call], ..Answer::default() });
        let turn = CallText { prompt, answer, error: None, removed_at: None };
        let sent = "Sent (assistant)\na: search {\"q\":\"park\"}\n\nSent (tool, result of a)\nNothing.\n\n\
                    Tools offered\nsearch: Searches.\n{\"type\":\"object\"}\n\nCalls search (a)\n";
        assert_eq!(page(&turn, Step::Draft, true).text().to_string(), format!("{sent}{{\"q\":\"park\"}}\n\n"));
        assert_eq!(page(&turn, Step::Draft, false).text().to_string(), format!("{sent}{{\n  \"q\": \"park\"\n}}\n\n"));
    }
}
