//! A tool as it is served.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{ServedDesk, ToolRefusal, arguments, knowledge, sending};
use copydesk_newsroom::TargetKind;

/// Reads the arguments of a call, does the work, and writes its answer.
type TextWork = dyn Fn(&ServedDesk, Value) -> Result<Value, ToolRefusal> + Send + Sync;

/// How a tool does its work.
#[derive(Clone)]
pub enum ToolWork {
    /// From the texts of the call alone. It blocks.
    Texts(Arc<TextWork>),
    /// By a search of what the newsroom has indexed.
    Knowledge,
    /// By sending a signed story to configured targets: to any of them, or to those of one kind.
    Sending(Option<TargetKind>),
}

/// A tool as it is served. All but those that send only read, and reach outside this machine only through the embedder that the
/// configuration names.
#[derive(Clone)]
pub struct ServedTool {
    pub name: &'static str,
    pub title: &'static str,
    /// Its purpose, for a reader who does not know this program.
    pub description: &'static str,
    /// The JSON schema of its arguments: an object.
    pub schema: Value,
    /// The JSON schema of its answer: an object.
    pub answer_schema: Value,
    pub work: ToolWork,
}

impl ServedTool {
    /// A tool whose arguments are `A` and whose answer is an `R`.
    pub(super) fn new<A: JsonSchema, R: JsonSchema>(
        name: &'static str,
        title: &'static str,
        description: &'static str,
        work: ToolWork,
    ) -> Self {
        let (schema, answer_schema) = (arguments::schema::<A>(), arguments::answer_schema::<R>());
        Self { name, title, description, schema, answer_schema, work }
    }

    /// A tool that works from the texts of the call alone.
    pub(super) fn texts<A: DeserializeOwned + JsonSchema + 'static, R: Serialize + JsonSchema + 'static>(
        name: &'static str,
        title: &'static str,
        description: &'static str,
        work: impl Fn(&ServedDesk, A) -> Result<R, ToolRefusal> + Send + Sync + 'static,
    ) -> Self {
        let work = move |desk: &ServedDesk, given| arguments::written(&work(desk, arguments::read(given)?)?);
        Self::new::<A, R>(name, title, description, ToolWork::Texts(Arc::new(work)))
    }

    /// Whether it only reads.
    pub fn reads(&self) -> bool {
        !matches!(self.work, ToolWork::Sending(_))
    }

    /// Whether this desk can do it: what sends needs a target.
    pub fn is_offered(&self, desk: &ServedDesk) -> bool {
        match &self.work {
            ToolWork::Sending(kind) => sending::targets(desk, *kind).next().is_some(),
            ToolWork::Texts(_) | ToolWork::Knowledge => true,
        }
    }

    /// Its answer: a JSON object.
    ///
    /// # Errors
    /// [`ToolRefusal`] if the arguments are wrong or too long, or the knowledge base cannot be searched.
    pub async fn call(&self, desk: &ServedDesk, given: Value) -> Result<Value, ToolRefusal> {
        match &self.work {
            ToolWork::Knowledge => knowledge::search(desk, given).await,
            ToolWork::Sending(kind) => sending::send(desk, *kind, given).await,
            ToolWork::Texts(work) => {
                let (desk, work) = (desk.clone(), Arc::clone(work));
                // The rules take a while on long texts.
                let done = tokio::task::spawn_blocking(move || work(&desk, given)).await;
                done.unwrap_or(Err(ToolRefusal::BrokeOff))
            }
        }
    }
}

/// Entries of an answer, and how many were left out.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Capped<T> {
    pub(super) entries: Vec<T>,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) left_out: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Most entries of an answer: more than a model or a person would read.
const MOST: usize = 500;

pub(super) fn capped<T>(entries: Vec<T>) -> Capped<T> {
    capped_as(entries, |entry| entry)
}

/// The first entries, each as `told` tells it.
pub(super) fn capped_as<E, T>(entries: Vec<E>, told: impl Fn(E) -> T) -> Capped<T> {
    let left_out = entries.len().saturating_sub(MOST);
    Capped { entries: entries.into_iter().take(MOST).map(told).collect(), left_out }
}
