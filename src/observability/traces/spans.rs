//! The spans of a run: its story, its steps, the calls of models and tools in them.
//!
//! Names and attributes are OpenTelemetry's conventions for generative AI (<https://opentelemetry.io/docs/specs/semconv/gen-ai/>); this
//! program's own names begin with `copydesk.`. A span's id is a digest of what it shows, so that a span which is sent twice is the same
//! span.

use jiff::Timestamp;
use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest,
    common::v1::{AnyValue, InstrumentationScope, KeyValue, any_value::Value},
    resource::v1::Resource,
    trace::v1::{ResourceSpans, ScopeSpans, Span, Status, span::SpanKind, status::StatusCode},
};
use prost::Message as _;
use serde_json::{Value as Json, json};
use sha2::{Digest as _, Sha256};

use super::super::metrics::is_name_of_tool;
use crate::{
    newsroom::{Event, EventRecord, Message, Pool, Step, ToolCall},
    ports::{CallRow, CallState, CallText, TracedRun, TracedStep, TracedTool},
};

/// Most characters of a text of a prompt or an answer.
const LONGEST_TEXT: usize = 16_000;

/// Spans as the protocol's bytes.
pub(super) fn request(spans: Vec<Span>) -> Vec<u8> {
    let version = env!("CARGO_PKG_VERSION");
    let attributes = vec![text("service.name", "copydesk"), text("service.version", version)];
    let scope = InstrumentationScope { name: "copydesk".into(), version: version.into(), ..Default::default() };
    let spans = ScopeSpans { scope: Some(scope), spans, schema_url: String::new() };
    let resource = Resource { attributes, ..Default::default() };
    let of_program = ResourceSpans { resource: Some(resource), scope_spans: vec![spans], schema_url: String::new() };
    ExportTraceServiceRequest { resource_spans: vec![of_program] }.encode_to_vec()
}

/// The span of a run that has closed, as its event says.
pub(super) fn of_run(run: &TracedRun, closed: &EventRecord) -> Option<Span> {
    let EventRecord { at, story, run: name, event } = closed;
    let Event::RunClosed { success, rounds, open_concerns, flags, error, .. } = event else { return None };
    let attributes = vec![
        text("copydesk.story", story),
        text("gen_ai.conversation.id", name),
        number("copydesk.rounds", u64::from(*rounds)),
        number("copydesk.open_concerns", u64::from(*open_concerns)),
        number("copydesk.flags", flags.len() as u64),
        attribute("copydesk.success", Value::BoolValue(*success)),
    ];
    let begun = nanoseconds(&run.opened_at)?;
    let ended = nanoseconds(at)?.max(begun);
    // Why a run failed may quote texts: a name of the failure is enough here.
    let error = error.is_some().then_some("run_failed");
    Some(span(name, "run", "story".into(), SpanKind::Internal, [begun, ended], attributes, error))
}

/// The spans of a step: its own, and one for each call of a model or a tool.
pub(super) fn of_step(run: &str, story: &str, traced: &TracedStep, texts: &[(u32, CallText)]) -> Vec<Span> {
    let TracedStep { step, ended_at, failed, times, calls, tools } = traced;
    let agent = calls.first().map(|call| call.agent.as_str());
    let parent = span_id(run, &step.to_string());
    let of_call = |call| {
        let said = texts.iter().find(|(attempt, _)| *attempt == CallRow::clone(call).attempt).map(|(_, text)| text);
        call_span(run, *step, call, said)
    };
    let mut inside: Vec<Span> = calls.iter().filter_map(of_call).collect();
    inside.extend(tools.iter().filter_map(|tool| tool_span(run, *step, tool)));
    for span in &mut inside {
        span.parent_span_id.clone_from(&parent);
    }
    // A step's time is that of its answer, a call's that of its commit.
    let ends = inside.iter().map(|span| span.end_time_unix_nano);
    let Some(ended) = ends.chain(ended_at.as_deref().and_then(nanoseconds)).max() else { return inside };
    let worked = times.worked_ms.map(|worked| ended.saturating_sub(worked.saturating_mul(1_000_000)));
    let begun = inside.iter().map(|span| span.start_time_unix_nano).chain(worked).min().unwrap_or(ended).min(ended);
    let mut attributes = vec![
        text("copydesk.story", story),
        text("gen_ai.conversation.id", run),
        text("copydesk.step", &step.to_string()),
        text("copydesk.pool", Pool::of(*step).name()),
    ];
    attributes.extend(round(*step));
    attributes.extend(times.waited_ms.map(|waited| number("copydesk.waited_ms", waited)));
    if let Some(agent) = agent {
        attributes.extend([text("gen_ai.operation.name", "invoke_agent"), text("gen_ai.agent.name", agent)]);
    }
    // Its calls came to nothing: the run ended with it, or a rule did the step.
    let useless = !calls.is_empty() && calls.iter().all(|call| call.state != CallState::Answered);
    let error = failed.then_some("given_up").or(useless.then_some("no_usable_answer"));
    let name = agent.map_or_else(|| step.to_string(), |agent| format!("invoke_agent {agent}"));
    let own = span(run, &step.to_string(), name, SpanKind::Internal, [begun, ended], attributes, error);
    inside.push(Span { parent_span_id: span_id(run, "run"), ..own });
    inside
}

/// An attempt at a call that has ended.
fn call_span(run: &str, step: Step, call: &CallRow, said: Option<&CallText>) -> Option<Span> {
    let ended = nanoseconds(call.ended_at.as_deref()?)?;
    let asked = nanoseconds(&call.asked_at)?;
    let begun = call.numbers.times.worked_ms.map_or(asked, |ms| ended.saturating_sub(ms.saturating_mul(1_000_000)));
    let (host, port) = match call.host.rsplit_once(':') {
        Some((host, port)) => (host, port.parse().ok()),
        None => (call.host.as_str(), None),
    };
    let mut attributes = vec![
        text("gen_ai.operation.name", "chat"),
        // Servers that speak OpenAI's interface do not say what they are.
        text("gen_ai.provider.name", "openai_compatible"),
        text("gen_ai.request.model", &call.model),
        text("gen_ai.agent.name", &call.agent),
        text("gen_ai.conversation.id", run),
        text("server.address", host),
        number("copydesk.attempt", u64::from(call.attempt)),
    ];
    let numbers = [
        ("server.port", port),
        ("gen_ai.usage.input_tokens", call.usage.prompt_tokens),
        ("gen_ai.usage.output_tokens", call.usage.completion_tokens),
        ("gen_ai.usage.cache_read.input_tokens", call.usage.cached_tokens),
        ("copydesk.waited_ms", call.numbers.times.waited_ms),
        ("copydesk.prompt_bytes", call.prompt_bytes),
        ("copydesk.answer_bytes", call.answer_bytes),
    ];
    attributes.extend(numbers.into_iter().filter_map(|(name, value)| Some(number(name, value?))));
    if let Some(cost) = &call.numbers.cost {
        attributes.push(attribute("copydesk.cost", Value::DoubleValue(cost.amount)));
        attributes.push(text("copydesk.currency", &cost.currency));
    }
    if let Some(CallText { prompt, answer, removed_at: None, .. }) = said {
        attributes.push(text("gen_ai.input.messages", &messages(&prompt.messages)));
        if let Some(answer) = answer {
            let reason = if answer.calls.is_empty() { "stop" } else { "tool_call" };
            let said =
                json!([{"role": "assistant", "parts": parts(&answer.text, &answer.calls), "finish_reason": reason}]);
            attributes.push(text("gen_ai.output.messages", &said.to_string()));
        }
    }
    let error = (call.state != CallState::Answered).then_some(if call.answer_bytes.is_some() {
        "unusable_answer"
    } else {
        "no_answer"
    });
    let (id, name) = (format!("{step} call {}", call.attempt), format!("chat {}", call.model));
    Some(span(run, &id, name, SpanKind::Client, [begun.min(ended), ended], attributes, error))
}

fn tool_span(run: &str, step: Step, tool: &TracedTool) -> Option<Span> {
    let ended = nanoseconds(&tool.ended_at)?;
    // A model may write anything as the name of a tool.
    let name = if is_name_of_tool(&tool.tool) { tool.tool.as_str() } else { "other" };
    let attributes = vec![
        text("gen_ai.operation.name", "execute_tool"),
        text("gen_ai.tool.name", name),
        text("gen_ai.conversation.id", run),
        text("copydesk.tool_end", tool.end.name()),
    ];
    let begun = ended.saturating_sub(tool.worked_ms.unwrap_or(0).saturating_mul(1_000_000));
    let error = (tool.end != crate::ports::ToolEnd::Done).then_some(tool.end.name());
    let (id, name) = (format!("{step} tool {}", tool.attempt), format!("execute_tool {name}"));
    Some(span(run, &id, name, SpanKind::Internal, [begun, ended], attributes, error))
}

/// A span of a run; `id` tells it from the run's others, `times` are its begin and its end.
fn span(
    run: &str,
    id: &str,
    name: String,
    kind: SpanKind,
    times: [u64; 2],
    mut attributes: Vec<KeyValue>,
    error: Option<&str>,
) -> Span {
    attributes.extend(error.map(|error| text("error.type", error)));
    let code = if error.is_some() { StatusCode::Error } else { StatusCode::Unset };
    Span {
        trace_id: digest(&[run], 16),
        span_id: span_id(run, id),
        name,
        kind: kind.into(),
        start_time_unix_nano: times[0],
        end_time_unix_nano: times[1],
        attributes,
        status: Some(Status { message: String::new(), code: code.into() }),
        ..Default::default()
    }
}

fn messages(messages: &[Message]) -> String {
    let each = messages.iter().map(|message| {
        let parts = match &message.answers {
            Some(id) => vec![json!({"type": "tool_call_response", "id": id, "result": shortened(&message.text())})],
            None => parts(&message.text(), &message.calls),
        };
        json!({"role": message.role.name(), "parts": parts})
    });
    Json::Array(each.collect()).to_string()
}

fn parts(text: &str, calls: &[ToolCall]) -> Vec<Json> {
    let said = json!({"type": "text", "content": shortened(text)});
    let calls = calls.iter().map(
        |call| json!({"type": "tool_call", "id": call.id, "name": call.name, "arguments": shortened(&call.arguments)}),
    );
    std::iter::once(said).chain(calls).collect()
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

fn round(step: Step) -> Option<KeyValue> {
    let round = Some(step.round()).filter(|round| (1..u32::MAX).contains(round))?;
    Some(number("copydesk.round", u64::from(round)))
}

fn attribute(name: &str, value: Value) -> KeyValue {
    KeyValue { key: name.to_owned(), value: Some(AnyValue { value: Some(value) }), ..Default::default() }
}

fn text(name: &str, value: &str) -> KeyValue {
    attribute(name, Value::StringValue(value.to_owned()))
}

fn number(name: &str, value: u64) -> KeyValue {
    attribute(name, Value::IntValue(i64::try_from(value).unwrap_or(i64::MAX)))
}

fn span_id(run: &str, what: &str) -> Vec<u8> {
    digest(&[run, what], 8)
}

fn digest(parts: &[&str], bytes: usize) -> Vec<u8> {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
        hash.update([0]);
    }
    hash.finalize().into_iter().take(bytes).collect()
}

/// Nanoseconds since 1970 of a time as the record has it.
fn nanoseconds(at: &str) -> Option<u64> {
    let at: Timestamp = at.parse().ok()?;
    u64::try_from(at.as_nanosecond()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        newsroom::{Part, Role},
        ports::{Times, ToolEnd},
    };

    fn text_of<'s>(span: &'s Span, name: &str) -> &'s str {
        let found = span.attributes.iter().find(|attribute| attribute.key == name).unwrap();
        match found.value.as_ref().unwrap().value.as_ref().unwrap() {
            Value::StringValue(text) => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_name_of_a_tool_is_a_name_or_nothing() {
        let tool = |name: &str| TracedTool {
            attempt: 1,
            tool: name.into(),
            end: ToolEnd::Failed,
            ended_at: "2026-10-06T12:00:01.000Z".into(),
            worked_ms: Some(200),
        };
        let step = TracedStep {
            step: Step::Draft,
            ended_at: None,
            failed: false,
            times: Times::default(),
            calls: vec![],
            tools: vec![tool("search_web"), tool("what did Ada say?")],
        };
        let spans = of_step("R1", "desk/park", &step, &[]);
        let names: Vec<&str> = spans.iter().take(2).map(|span| text_of(span, "gen_ai.tool.name")).collect();
        assert_eq!(names, ["search_web", "other"]);
        assert_eq!(spans[1].name, "execute_tool other");
        assert_eq!(spans[0].end_time_unix_nano - spans[0].start_time_unix_nano, 200_000_000);
    }

    #[test]
    fn a_conversation_has_its_calls_and_their_results() {
        let call = ToolCall { id: "call_1".into(), name: "search_web".into(), arguments: "{}".into() };
        let said = |role, text: &str| Message::new(role, vec![Part { name: "p".into(), text: text.into() }]);
        let asks = Message { calls: vec![call.clone()], ..said(Role::Assistant, "") };
        let comes = Message { answers: Some("call_1".into()), ..said(Role::Tool, "nothing") };
        let told: Json = serde_json::from_str(&messages(&[asks, comes])).unwrap();
        assert_eq!(told[0]["parts"][1]["id"], told[1]["parts"][0]["id"]);
        assert_eq!(told[1]["parts"][0]["type"], json!("tool_call_response"));
        assert_eq!(shortened(&"x".repeat(LONGEST_TEXT + 1)).chars().count(), LONGEST_TEXT + 1);
    }
}
