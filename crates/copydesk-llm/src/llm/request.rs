//! The body of a request, in the form that OpenAI's chat completions have.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::{
    tool_calls::arguments_object,
    tool_form::{self, join},
};
use copydesk_config::{ModelSettings, ResponseFormat, ToolForm};
use copydesk_core::ports::Ask;
use copydesk_newsroom::{Message, Prompt, Role, Tool, ToolCall};

/// How an answer is drawn after one that went round in a circle: no cooler than this, and each token less likely the more often it was said.
/// `OpenAI`'s reference calls a penalty of 0.1 to 1 reasonable.
const VARIED_TEMPERATURE: f64 = 0.7;
const VARIED_PENALTY: f64 = 0.3;

/// The question in the form that is sent, and the form of its answer.
pub(super) struct Outgoing<'a> {
    /// The prompt as it is sent.
    pub(super) prompt: Cow<'a, Prompt>,
    /// How the model was told of tools; none if it was told of none.
    pub(super) tools: Option<ToolForm>,
    format: Option<Value>,
}

impl<'a> Outgoing<'a> {
    pub(super) fn new(ask: &'a Ask, model: Option<&ModelSettings>) -> Self {
        let form = model.map_or(ToolForm::Native, |model| model.tools);
        // In the JSON form, tools that may not be called are not described.
        let silent = ask.prompt.no_calls && form == ToolForm::Json;
        let tools = (!ask.prompt.tools.is_empty() && !silent).then_some(form);
        let prompt = match form {
            ToolForm::Native => Cow::Borrowed(&ask.prompt),
            ToolForm::Json => Cow::Owned(tool_form::described(&ask.prompt, ask.schema.as_ref())),
        };
        let takes_system = model.is_none_or(|model| model.request.system_role);
        let prompt = if takes_system { prompt } else { Cow::Owned(without_system(&prompt)) };
        let schema = match (tools, &ask.schema) {
            (Some(ToolForm::Json), schema) => {
                // OpenAI's strict schemas have no choice at the top.
                Some(("turn", false, tool_form::schema(&ask.prompt.tools, schema.as_ref())))
            }
            (_, Some(schema)) => Some((schema.name, true, schema.schema.clone())),
            (_, None) => None,
        };
        let format = schema.zip(model).and_then(|((name, strict, schema), model)| match model.response_format {
            ResponseFormat::JsonSchema => Some(json!({
                "type": "json_schema",
                "json_schema": { "name": name, "strict": strict, "schema": schema },
            })),
            ResponseFormat::JsonObject => Some(json!({ "type": "json_object", "schema": schema })),
            ResponseFormat::None => None,
        });
        Self { prompt, tools, format }
    }

    /// The body, for a model of this name.
    pub(super) fn body(&self, name: &str, model: Option<&ModelSettings>) -> Value {
        let messages: Vec<Value> = self.prompt.messages.iter().map(message).collect();
        let mut body = json!({ "model": name, "messages": messages, "stream": true });
        let Some(fields) = body.as_object_mut() else { return body };
        if model.is_none_or(|model| model.request.stream_options) {
            fields.insert("stream_options".into(), json!({ "include_usage": true }));
        }
        if let Some(model) = model {
            let varied = self.prompt.varied;
            let temperature = if varied { model.temperature.max(VARIED_TEMPERATURE) } else { model.temperature };
            fields.insert("temperature".into(), json!(temperature));
            if varied {
                fields.insert("frequency_penalty".into(), json!(VARIED_PENALTY));
            }
            fields.insert(model.request.max_tokens.clone(), json!(model.max_tokens));
            if let Some(format) = &self.format {
                fields.insert("response_format".into(), format.clone());
            }
            if !self.prompt.tools.is_empty() {
                fields.insert("tools".into(), self.prompt.tools.iter().map(tool).collect());
                if self.prompt.no_calls {
                    fields.insert("tool_choice".into(), json!("none"));
                }
            }
            for (field, value) in &model.request.extra {
                match value {
                    Value::Null => fields.shift_remove(field),
                    value => fields.insert(field.clone(), value.clone()),
                };
            }
        }
        body
    }
}

/// The conversation for a model that takes no system message: its text goes before the user's.
fn without_system(prompt: &Prompt) -> Prompt {
    let mut messages = Vec::new();
    for message in &prompt.messages {
        let mut message = message.clone();
        if message.role == Role::System {
            message.role = Role::User;
        }
        join(&mut messages, message);
    }
    Prompt { messages, ..prompt.clone() }
}

fn tool(tool: &Tool) -> Value {
    let function = json!({"name": tool.name, "description": tool.description, "parameters": tool.parameters});
    json!({"type": "function", "function": function})
}

fn message(message: &Message) -> Value {
    let text = message.text();
    let (role, content) = (message.role.name(), Value::String(text));
    match message.role {
        Role::Tool => json!({"role": role, "tool_call_id": message.answers, "content": content}),
        Role::Assistant if !message.calls.is_empty() => {
            let content = if content == "" { Value::Null } else { content };
            let calls: Vec<Value> = message.calls.iter().map(call).collect();
            json!({"role": role, "content": content, "tool_calls": calls})
        }
        Role::System | Role::User | Role::Assistant => json!({"role": role, "content": content}),
    }
}

fn call(call: &ToolCall) -> Value {
    let arguments = Value::Object(arguments_object(&call.arguments)).to_string();
    json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}})
}
