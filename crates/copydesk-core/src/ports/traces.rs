//! The parts of a trace of the work, and its destination.

use async_trait::async_trait;

use super::{CallRow, RunKey, StoreError, Times, ToolEnd};
use copydesk_newsroom::{Secrecy, Step};

/// A run, as its trace shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct TracedRun {
    pub key: RunKey,
    /// The secrecy of its story.
    pub secrecy: Secrecy,
    /// ISO 8601, UTC.
    pub opened_at: String,
    /// Those that were asked for, without any that has nothing to show.
    pub steps: Vec<TracedStep>,
}

/// A step that has ended, with all attempts at it.
#[derive(Debug, Clone, PartialEq)]
pub struct TracedStep {
    pub step: Step,
    /// When it ended; none if only its calls are known.
    pub ended_at: Option<String>,
    /// Whether it was given up.
    pub failed: bool,
    pub times: Times,
    pub calls: Vec<CallRow>,
    pub tools: Vec<TracedTool>,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedTool {
    /// 1 for the first.
    pub attempt: u32,
    /// Its name, as the model wrote it.
    pub tool: String,
    pub end: ToolEnd,
    pub ended_at: String,
    pub worked_ms: Option<u64>,
}

/// Reads the parts of traces.
#[async_trait]
pub trait TraceBook: Send + Sync {
    /// The run of that name with some of its steps. None if it was deleted.
    async fn traced(&self, run: &str, steps: &[Step]) -> Result<Option<TracedRun>, StoreError>;
}

/// Why spans were not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TraceFault {
    /// It may take them later.
    NotNow(String),
    /// It will never take them.
    Refused(String),
}

/// Takes spans.
#[async_trait]
pub trait TraceSink: Send + Sync {
    /// Whether it is on this machine.
    fn is_here(&self) -> bool;

    /// Sends spans, as the bytes of an `ExportTraceServiceRequest`.
    async fn send(&self, spans: Vec<u8>) -> Result<(), TraceFault>;
}
