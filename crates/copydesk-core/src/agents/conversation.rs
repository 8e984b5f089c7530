//! A conversation with tools, shortened so that it fits a budget.
//!
//! The beginning (the house's instructions, the task) never changes, so that a server can keep it. The last two
//! exchanges never change either. The exchanges between are shortened as far as the budget asks. First, results that
//! are JSON become TOON if that is smaller, which loses nothing. Then exchanges are summarised, the oldest first. Each
//! call keeps its result, because servers refuse a call without one.
//!
//! How an exchange is shortened depends on that exchange alone. So text that was shortened in one turn is the same in
//! the next.

use std::{collections::BTreeMap, ops::Range};

use linkify::{LinkFinder, LinkKind};
use serde::Serialize;
use serde_json::Value;

use copydesk_newsroom::{Message, Part, Role};
use copydesk_text::{
    overlap::Stems,
    relevance::{choose, relevant},
    sanitise, thousands,
    toon::{Notation, smaller},
};

/// An extract has this part of the tokens of its text: one in eight.
const SHARE: u64 = 8;

/// Fewest tokens of an extract: a title, an address and a sentence.
const SHORTEST: u64 = 64;

/// Shorter strings of JSON are names, dates, figures and addresses, not sentences.
const SENTENCE: usize = 40;

/// Longest title or address of an extract, in characters.
const LONGEST_TITLE: usize = 200;

/// How a conversation is shortened.
#[derive(Debug, Clone, Copy)]
pub struct Compaction<'a> {
    /// The task of the conversation; its words decide which sentences an extract keeps.
    pub task: &'a str,
    /// The most tokens of all messages.
    pub budget: u64,
    /// How many of the latest exchanges are sent whole; [`Compaction::WHOLE`] if they fit the model.
    pub whole: usize,
    /// The model's summaries of earlier exchanges, by their number from 0. An exchange without a summary is extracted by rule.
    pub summaries: &'a BTreeMap<usize, String>,
}

/// The saving of one way of shortening.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Shortened {
    /// How many messages became shorter by it.
    pub messages: u64,
    pub tokens_saved: u64,
}

/// The tokens of results that are data, in TOON and in JSON, so that the saving of TOON can be told.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct DataTokens {
    /// Results for which TOON was considered.
    pub results: u64,
    pub toon: u64,
    /// In JSON without white space.
    pub json: u64,
}

/// The record of shortening a conversation. The JSON form is stable; fields are only ever added.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct CompactionRecord {
    pub exchanges: u64,
    pub tokens_before: u64,
    /// More than the budget if the parts that are never changed are larger.
    pub tokens_after: u64,
    /// Results that went over to TOON and were not summarised later.
    pub toon: Shortened,
    /// Results that are shorter in JSON, if it has no white space, and were not summarised later.
    pub json: Shortened,
    /// Messages shortened to titles, addresses and the sentences nearest to the task.
    pub extracts: Shortened,
    /// Messages for which a given summary stands.
    pub summaries: Shortened,
    /// The results for which TOON was considered, also those that were summarised later.
    pub data: DataTokens,
}

/// Adds each number of one record to that of another.
macro_rules! sums {
    ($($record:ident: $($number:ident)+;)+) => {$(
        impl std::ops::AddAssign for $record {
            fn add_assign(&mut self, more: Self) {
                $(self.$number += more.$number;)+
            }
        }
    )+};
}

sums! {
    Shortened: messages tokens_saved;
    DataTokens: results toon json;
    CompactionRecord: exchanges tokens_before tokens_after toon json extracts summaries data;
}

/// A conversation as it is to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compacted {
    pub messages: Vec<Message>,
    pub record: CompactionRecord,
}

/// How a message was shortened.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Means {
    Toon,
    /// JSON without its white space.
    Json,
    Extract,
    Summary,
}

impl Compaction<'_> {
    /// The latest exchanges, which are sent whole.
    pub const WHOLE: usize = 2;

    /// Returns the messages to send instead of `messages`, with the saving. `count` gives the tokens of a text.
    pub fn of(&self, messages: &[Message], count: impl Fn(&str) -> u64) -> Compacted {
        let exchanges = exchanges(messages);
        let slot = |message: &Message| {
            let before = tokens_of(message, &count);
            SizedMessage { message: message.clone(), before, tokens: before, means: None }
        };
        let mut work = Work { slots: messages.iter().map(slot).collect(), data: DataTokens::default(), count: &count };
        let older = exchanges.get(..exchanges.len().saturating_sub(self.whole)).unwrap_or_default();
        for exchange in older {
            if work.total() > self.budget {
                work.write_in_toon(exchange);
            }
        }
        let task = Stems::of(self.task);
        for (number, exchange) in older.iter().enumerate() {
            if work.total() > self.budget {
                let own = messages.get(exchange.clone()).unwrap_or_default();
                match self.summaries.get(&number) {
                    Some(summary) if work.put_summary(exchange, own, summary) => {}
                    _ => work.extract(exchange, own, &task),
                }
            }
        }
        let by = |means: Means| {
            let mut all = Shortened::default();
            for slot in work.slots.iter().filter(|slot| slot.means == Some(means)) {
                all.messages += 1;
                all.tokens_saved += slot.before.saturating_sub(slot.tokens);
            }
            all
        };
        let record = CompactionRecord {
            exchanges: exchanges.len() as u64,
            tokens_before: work.slots.iter().map(|slot| slot.before).sum(),
            tokens_after: work.total(),
            toon: by(Means::Toon),
            json: by(Means::Json),
            extracts: by(Means::Extract),
            summaries: by(Means::Summary),
            data: work.data,
        };
        Compacted { messages: work.slots.into_iter().map(|slot| slot.message).collect(), record }
    }
}

/// Returns each turn of the assistant with the messages up to its next turn: the results of its calls, and a person's words in between.
fn exchanges(messages: &[Message]) -> Vec<Range<usize>> {
    let turns = messages.iter().enumerate().filter(|(_, message)| message.role == Role::Assistant);
    let starts: Vec<usize> = turns.map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([messages.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

/// The tokens of a message's text and of the calls that it asks for.
fn tokens_of(message: &Message, count: impl Fn(&str) -> u64) -> u64 {
    let calls: u64 =
        message.calls.iter().map(|call| count(&call.id) + count(&call.name) + count(&call.arguments)).sum();
    count(&message.text()) + message.answers.as_deref().map_or(0, &count) + calls
}

/// A message of the conversation with its tokens, as it was and as it is.
struct SizedMessage {
    message: Message,
    before: u64,
    tokens: u64,
    means: Option<Means>,
}

/// A conversation while it is shortened.
struct Work<C> {
    slots: Vec<SizedMessage>,
    data: DataTokens,
    count: C,
}

impl<C: Fn(&str) -> u64> Work<C> {
    fn total(&self) -> u64 {
        self.slots.iter().map(|slot| slot.tokens).sum()
    }

    fn write_in_toon(&mut self, exchange: &Range<usize>) {
        for at in exchange.clone() {
            let result = self.slots.get(at).filter(|slot| slot.message.role == Role::Tool);
            let Some(value) = result.and_then(|slot| data(&slot.message.text())) else { continue };
            let encoded = smaller(&value, &self.count);
            if let Some(toon) = encoded.toon_tokens {
                self.data += DataTokens { results: 1, toon, json: encoded.json_tokens };
            }
            let means = match encoded.notation {
                Notation::Toon => Means::Toon,
                Notation::Json => Means::Json,
            };
            self.replace(at, encoded.text, means);
        }
    }

    /// Shortens the texts of an exchange to extracts. `own` is the exchange as it was.
    fn extract(&mut self, exchange: &Range<usize>, own: &[Message], task: &Stems) {
        for (at, message) in exchange.clone().zip(own) {
            let advice = match message.role {
                Role::Tool => " Call the tool again for the whole.",
                Role::Assistant => "",
                Role::System | Role::User => continue,
            };
            let text = extract(&message.text(), advice, task, &self.count);
            self.replace(at, text, Means::Extract);
        }
    }

    /// Puts a summary into the first result of an exchange and a pointer to it into the others. False if the summary is no shorter than the
    /// results were. `own` is the exchange as it was.
    fn put_summary(&mut self, exchange: &Range<usize>, own: &[Message], summary: &str) -> bool {
        let results: Vec<(usize, &Message)> =
            exchange.clone().zip(own).filter(|(_, message)| message.role == Role::Tool).collect();
        let summary = format!("[Summary of this step]\n{summary}");
        if (self.count)(&summary) >= results.iter().map(|(_, message)| (self.count)(&message.text())).sum() {
            return false;
        }
        let pointers = std::iter::repeat("[See the summary above.]");
        for ((at, message), text) in results.iter().zip([summary.as_str()].into_iter().chain(pointers)) {
            self.put(*at, with_text(message, text.to_owned()), Means::Summary);
        }
        true
    }

    /// Gives a message another text if it is shorter.
    fn replace(&mut self, at: usize, text: String, means: Means) {
        let Some(slot) = self.slots.get(at) else { return };
        let shorter = with_text(&slot.message, text);
        if tokens_of(&shorter, &self.count) < slot.tokens {
            self.put(at, shorter, means);
        }
    }

    fn put(&mut self, at: usize, message: Message, means: Means) {
        let size = tokens_of(&message, &self.count);
        if let Some(slot) = self.slots.get_mut(at) {
            *slot = SizedMessage { message, tokens: size, means: Some(means), ..*slot };
        }
    }
}

/// A message with another text: the same speaker, calls and call that it answers.
fn with_text(message: &Message, text: String) -> Message {
    let name = message.parts.first().map(|part| part.name.clone()).unwrap_or_default();
    Message { parts: vec![Part { name, text }], ..message.clone() }
}

/// A result as data, if it is JSON that can be written again without a loss: a number beyond what a double holds exactly would be rounded.
fn data(text: &str) -> Option<Value> {
    fn is_exact(value: &Value) -> bool {
        match value {
            Value::Number(number) => {
                number.as_i64().is_some()
                    || number.as_u64().is_some()
                    || number.as_f64().is_some_and(|float| float.abs() < EXACT)
            }
            Value::Array(values) => values.iter().all(is_exact),
            Value::Object(fields) => fields.values().all(is_exact),
            Value::Null | Value::Bool(_) | Value::String(_) => true,
        }
    }
    let value: Value = serde_json::from_str(text).ok()?;
    ((value.is_object() || value.is_array()) && is_exact(&value)).then_some(value)
}

/// 2 to the power of 53: the whole numbers below it have a double each.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The titles and addresses of a result, and the sentences nearest to the task.
fn extract(text: &str, advice: &str, task: &Stems, count: impl Fn(&str) -> u64) -> String {
    let whole = count(text);
    let limit = (whole / SHARE).max(SHORTEST);
    if whole <= limit {
        return text.to_owned();
    }
    let note = format!("[Shortened from {} tokens.{advice}]", thousands(whole));
    let mut left = limit.saturating_sub(count(&note));
    let Extractable { titles, prose } = Extractable::of(text);
    let parts: Vec<&str> = titles.iter().map(String::as_str).collect();
    let chosen = choose(&parts, task, left / 2, &count);
    let mut lines = vec![note];
    lines.extend(chosen.iter().filter_map(|at| titles.get(*at)).cloned());
    left = left.saturating_sub(lines.iter().skip(1).map(|line| count(line) + 1).sum());
    lines.push(relevant(&prose, task, left, &count).text);
    lines.join("\n")
}

/// Whether a value is more than a name or a figure.
fn says_more(value: &Value) -> bool {
    value.is_array() || value.is_object() || value.as_str().is_some_and(|text| text.len() >= SENTENCE)
}

/// A result taken apart for an extract.
#[derive(Default)]
struct Extractable {
    /// `title (address)`, one a record.
    titles: Vec<String>,
    /// Its sentences; records of figures a line each.
    prose: String,
}

impl Extractable {
    fn of(text: &str) -> Self {
        let mut parts = Self::default();
        if let Some(value) = data(text) {
            parts.read(&value);
        } else {
            let finder = LinkFinder::new();
            let links = finder.links(text).filter(|link| *link.kind() == LinkKind::Url);
            parts.titles = links.map(|link| sanitise::excerpt(link.as_str(), LONGEST_TITLE)).collect();
            parts.titles.dedup();
            text.clone_into(&mut parts.prose);
        }
        parts
    }

    fn read(&mut self, value: &Value) {
        match value {
            Value::Array(values) if values.iter().any(says_more) => values.iter().for_each(|value| self.read(value)),
            Value::Array(_) => self.add(&value.to_string()),
            Value::Object(fields) => {
                let named = |names: &[&str]| {
                    names
                        .iter()
                        .find_map(|name| fields.get(*name)?.as_str())
                        .map(|text| sanitise::excerpt(text, LONGEST_TITLE))
                };
                let title = named(&["title", "headline", "name"]);
                let address = named(&["url", "address", "link", "href"]);
                match (title, address) {
                    (Some(title), Some(address)) => self.titles.push(format!("{title} ({address})")),
                    (one, other) => self.titles.extend(one.or(other)),
                }
                if fields.values().any(says_more) {
                    fields.values().for_each(|value| self.read(value));
                } else {
                    self.add(&value.to_string());
                }
            }
            Value::String(text) if text.len() >= SENTENCE => self.add(text),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    /// A blank line ends a sentence.
    fn add(&mut self, text: &str) {
        self.prose.push_str(text.trim());
        self.prose.push_str("\n\n");
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use copydesk_newsroom::ToolCall;
    use copydesk_text::tokens;

    const TASK: &str = "Why does the water board of Port Ellery raise its rates?";

    fn count(text: &str) -> u64 {
        tokens::count("o200k_base", text)
    }

    fn message(role: Role, text: &str) -> Message {
        Message::new(role, vec![Part { name: role.name().to_owned(), text: text.to_owned() }])
    }

    /// A call with its result.
    fn exchange(id: usize, tool: &str, result: &str) -> [Message; 2] {
        let call = ToolCall { id: format!("c{id}"), name: tool.to_owned(), arguments: format!("{{\"page\":{id}}}") };
        let asks = Message { calls: vec![call], ..message(Role::Assistant, "") };
        [asks, Message { answers: Some(format!("c{id}")), ..message(Role::Tool, result) }]
    }

    fn page(number: usize) -> String {
        let filler = |n: usize| format!("Item {n} of list {number} was read out and put on file by the clerk. ");
        let head = format!("Minutes {number} of the board, https://ellery.example/{number}. ");
        let middle = "The water rates rise by 4 per cent because a main broke. ";
        head + &(0..20).map(filler).collect::<String>() + middle + &(20..40).map(filler).collect::<String>()
    }

    fn table() -> String {
        let rows: Vec<Value> = (0..30).map(|n| json!({"year": 1990 + n, "leak": n * 7, "cost": 1000 + n})).collect();
        serde_json::to_string_pretty(&rows).unwrap()
    }

    /// Instructions, task, and one exchange for each result.
    fn conversation(results: &[String]) -> Vec<Message> {
        let exchanges = results.iter().enumerate().flat_map(|(id, result)| exchange(id, "fetch_content", result));
        [message(Role::System, "You are a reporter."), message(Role::User, TASK)].into_iter().chain(exchanges).collect()
    }

    fn compacted(messages: &[Message], budget: u64, summaries: &BTreeMap<usize, String>) -> Compacted {
        Compaction { task: TASK, budget, whole: Compaction::WHOLE, summaries }.of(messages, count)
    }

    fn size(messages: &[Message]) -> u64 {
        messages.iter().map(|message| tokens_of(message, count)).sum()
    }

    #[test]
    fn a_conversation_within_its_budget_is_sent_as_it_is() {
        let messages = conversation(&[table(), page(1), page(2)]);
        let sent = compacted(&messages, size(&messages), &BTreeMap::new());
        let size = size(&messages);
        let record = CompactionRecord { exchanges: 3, tokens_before: size, tokens_after: size, ..Default::default() };
        assert_eq!(sent, Compacted { messages, record });
        assert_eq!(
            compacted(&[], 0, &BTreeMap::new()),
            Compacted { messages: vec![], record: CompactionRecord::default() }
        );
    }

    #[test]
    fn data_goes_over_to_toon_before_anything_is_lost() {
        let nested = "[ {\"a\": [[1], [2, [3]]]}, {\"b\": {\"c\": [{\"d\": []}, \"x: y\"]}} ]";
        let messages = conversation(&[page(0), table(), nested.to_owned(), table(), page(1)]);
        let sent = compacted(&messages, size(&messages) - 400, &BTreeMap::new());
        let changed: Vec<usize> = (0..messages.len()).filter(|at| sent.messages[*at] != messages[*at]).collect();
        assert_eq!(changed, [5], "the first table is enough");
        assert!(
            sent.messages[5].text().starts_with("[30]{year,leak,cost}:\n  1990,0,1000\n"),
            "{:?}",
            sent.messages[5]
        );
        assert_eq!((sent.messages[5].role, sent.messages[5].answers.as_deref()), (Role::Tool, Some("c1")));
        assert_eq!((sent.record.toon.messages, sent.record.extracts.messages), (1, 0));
        let sent = compacted(&messages, 0, &BTreeMap::new());
        let compact = "[{\"a\":[[1],[2,[3]]]},{\"b\":{\"c\":[{\"d\":[]},\"x: y\"]}}]";
        assert_eq!((sent.messages[7].text().as_str(), sent.record.json.messages), (compact, 1));
    }

    #[test]
    fn the_oldest_are_summarised_first_and_every_call_keeps_its_result() {
        let results: Vec<String> = (0..6).map(page).collect();
        let mut messages = conversation(&results);
        messages.insert(4, message(Role::User, "Ask the board too."));
        let sent = compacted(&messages, size(&messages) - 700, &BTreeMap::new());
        let changed: Vec<usize> = (0..messages.len()).filter(|at| sent.messages[*at] != messages[*at]).collect();
        assert_eq!(changed, [3, 6], "of the two oldest exchanges");
        assert!(sent.record.tokens_after <= size(&messages) - 700);
        assert_eq!(sent.record.tokens_after, size(&sent.messages));
        let saved = sent.record.extracts;
        assert_eq!((saved.messages, saved.tokens_saved), (2, size(&messages) - size(&sent.messages)));
        let who = |messages: &[Message]| -> Vec<(Role, Vec<ToolCall>, Option<String>)> {
            messages.iter().map(|one| (one.role, one.calls.clone(), one.answers.clone())).collect()
        };
        assert_eq!(who(&sent.messages), who(&messages));
        let text = sent.messages[3].text();
        let (first, rest) = text.split_once('\n').unwrap();
        assert!(
            first.starts_with("[Shortened from ") && first.ends_with(" tokens. Call the tool again for the whole.]")
        );
        assert!(
            rest.starts_with("https://ellery.example/0\nMinutes 0 of the board")
                && rest.contains("because a main broke."),
            "{rest}"
        );
        assert!(count(&text) <= count(&results[0]) / SHARE + 1, "{text}");
        // In the next turn the same exchanges have the same text.
        messages.extend(exchange(9, "fetch_content", &page(9)));
        let next = compacted(&messages, size(&messages) - 700, &BTreeMap::new());
        assert_eq!(next.messages[..7], sent.messages[..7]);
        // With any budget, the beginning and the last two exchanges are whole.
        let sent = compacted(&messages, 0, &BTreeMap::new());
        let whole = messages.len() - 4;
        assert_eq!((&sent.messages[..2], &sent.messages[whole..]), (&messages[..2], &messages[whole..]));
        assert_eq!(sent.record.extracts.messages, 5);
    }

    #[test]
    fn a_given_summary_stands_in_the_first_result_if_it_is_shorter() {
        let mut messages = conversation(&[page(0), "Short.".to_owned(), page(2), page(3)]);
        let [_, other] = exchange(0, "fetch_content", &page(7));
        messages.insert(4, Message { answers: Some("c0b".to_owned()), ..other });
        let summaries = BTreeMap::from([(0, "A main broke.".to_owned()), (1, "It was a short page.".to_owned())]);
        let sent = compacted(&messages, 0, &summaries);
        let texts: Vec<String> = sent.messages[3..5].iter().map(Message::text).collect();
        assert_eq!(texts, ["[Summary of this step]\nA main broke.", "[See the summary above.]"]);
        assert_eq!(sent.messages[4].answers.as_deref(), Some("c0b"));
        assert_eq!(sent.messages[5..], messages[5..], "a summary that is longer than its step is no help");
        assert_eq!((sent.record.summaries.messages, sent.record.extracts), (2, Shortened::default()));
    }

    #[test]
    fn an_extract_of_data_names_its_records_and_what_bears_on_the_task() {
        let row = |n: usize| {
            let text = if n == 7 {
                "The board raises the water rates after a break in a main."
            } else {
                "The board met and read the minutes of its last meeting."
            };
            json!({"title": format!("Report {n}"), "url": format!("https://ellery.example/{n}"), "text": text, "score": 0.5})
        };
        let records = json!({"results": (0..40).map(row).collect::<Vec<_>>()}).to_string();
        let said = extract(&records, "", &Stems::of(TASK), count);
        assert!(said.contains("\nReport 0 (https://ellery.example/0)\n"), "{said}");
        assert!(said.contains("The board raises the water rates after a break in a main."), "{said}");
        assert!(count(&said) <= count(&records) / SHARE + 2, "{said}");
        let said = extract(&table(), "", &Stems::of("leaks, year"), count);
        assert!(said.contains("{\"year\":1990,\"leak\":0,\"cost\":1000}"), "{said}");
        let pairs: Vec<[u64; 2]> = (0..100).map(|n| [2000 + n, n]).collect();
        let said = extract(&json!({ "name": "Leaks", "rows": pairs }).to_string(), "", &Stems::of("leak"), count);
        assert!(said.contains("Leaks") && said.contains("[2000,0]"), "{said}");
        let numbers: Vec<u64> = (0..100).collect();
        let named = json!([{"url": "https://ellery.example", "rows": numbers}, null, "x".repeat(50)]).to_string();
        let said = extract(&named, "", &Stems::of(TASK), count);
        assert!(said.contains("\nhttps://ellery.example\n"), "{said}");
    }

    #[test]
    fn data_that_cannot_be_written_again_without_a_loss_is_text() {
        assert_eq!(data("[18446744073709551615, -3, 1.5, null]"), Some(json!([u64::MAX, -3, 1.5, null])));
        for text in ["{\"id\": 184467440737095516150}", "[1e400]", "\"a\"", "17", "{", ""] {
            assert_eq!(data(text), None, "{text}");
        }
    }
}
