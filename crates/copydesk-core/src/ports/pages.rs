//! Calls tools, and opens the pages that a search outside cites.

use async_trait::async_trait;

use super::Withheld;
use copydesk_newsroom::{Agent, FoundSource, Tool, ToolCall, ToolResult};

/// Opens pages. An address comes from a stranger, and so does what stands there.
#[async_trait]
pub trait Pages: Send + Sync {
    /// Reads the page at `address`: at most some megabytes, within a time, over at most three redirections, each checked as the first
    /// address is. Nothing is sent but the address.
    ///
    /// Returns its text: sanitised, bounded, never blank; its address is that after all redirections. The caller notes when it was read.
    ///
    /// # Errors
    /// [`PageError`]; its message is shown after the address and a colon.
    async fn open(&self, address: &str) -> Result<FoundSource, PageError>;
}

/// Why a page was not opened. Each message is shown after a colon.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PageError {
    /// Nothing that a browser would open.
    #[error("it is not a web address")]
    NoAddress,
    /// A user's name or a password in it.
    #[error("its address holds a user name or a password")]
    Credentials,
    /// The host is not allowed.
    #[error("{host} is not this machine and privacy.local_only is true")]
    NotLocal { host: String },
    #[error(transparent)]
    Withheld(#[from] Withheld),
    /// A host inside: a page outside has no business there.
    #[error("{host} is not a public address")]
    NotPublic { host: String },
    /// No connection.
    #[error("no connection to {host} ({detail})")]
    Unreachable { host: String, detail: String },
    /// It took too long.
    #[error("it did not arrive within {seconds} s (tools.fetch.timeout_seconds)")]
    TimedOut { seconds: f64 },
    /// An answer that is no page.
    #[error("{host} answered {status}")]
    Status { host: String, status: u16 },
    /// A redirection to nowhere.
    #[error("{host} redirects to no address")]
    Nowhere { host: String },
    /// Too many redirections.
    #[error("it redirects more than {most} times")]
    SentOn { most: usize },
    /// More than is read.
    #[error("it is larger than {limit_kb} KB (tools.fetch.longest_page_kb)")]
    TooLarge { limit_kb: usize },
    /// A type that no reader reads.
    #[error("it is of type {kind}; web pages, plain text, PDF, DOCX and CSV are read")]
    Type { kind: String },
    /// Nothing on it to read, and nothing that would draw a text.
    #[error("it is empty")]
    Empty,
    /// Nothing on it but the order to a browser to open another page.
    #[error("it only sends its readers on to {to}")]
    Moved { to: String },
    /// Nothing on it to read before its scripts have run.
    #[error("it shows no text without its scripts: save it as the browser shows it, and give the file as a source")]
    NoText,
    /// The same, and the program of the configuration could not draw it.
    #[error("it shows no text without its scripts, and {program} (tools.fetch.render) {why}")]
    NotDrawn { program: String, why: String },
    /// A form for a name and a password in place of the page.
    #[error("{host} asks for a login: open it in your browser, save the page, and give the file as a source")]
    Login { host: String },
    /// The site forbids it to programs.
    #[error("the robots.txt of {host} forbids it to programs (tools.fetch.respects_robots)")]
    Robots { host: String },
    /// It is unknown what the site forbids, and then everything is forbidden.
    #[error("the robots.txt of {host} cannot be read ({detail}), and without it nothing may be opened there")]
    RobotsUnreachable { host: String, detail: String },
    /// The connection ended before the page.
    #[error("{host} stopped in the middle of it")]
    CutOff { host: String },
    /// Its bytes hold no text that can be read.
    #[error("{0}")]
    Unreadable(String),
}

/// Why a call gave no result at all. It may be made again later, because nothing is known to have happened. An error that a tool itself
/// reports (no such page, bad arguments) is a [`ToolResult`] that failed: the model is told and can do something else.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ToolError {
    #[error("{tool} did not answer within {seconds} s; {setting} is the limit")]
    TimedOut { tool: String, seconds: u64, setting: String },
    /// The server of the tool is not there, or stopped in the middle of the call.
    #[error("the server {server} of {tool} cannot be reached: {detail}; is it installed and running?")]
    Unreachable { tool: String, server: String, detail: String },
}

/// Calls tools. An implementation bounds the time and the size of every result, and refuses what the configuration does not allow.
#[async_trait]
pub trait Toolbox: Send + Sync {
    /// The tools that `agent` may call, in a fixed order. It may start servers to ask them, and leaves out those that do not answer.
    async fn tools(&self, agent: Agent) -> Vec<Tool>;

    /// Makes one call for `agent`. Who calls a tool that [asks](copydesk_newsroom::ToolEffect::Asks) has a person's word for it. A tool that the agent may not call, or that does not exist, gives a result that failed.
    ///
    /// Dropping the future cancels the call.
    ///
    /// # Errors
    /// [`ToolError`] if nothing came back.
    async fn call(&self, agent: Agent, call: &ToolCall) -> Result<ToolResult, ToolError>;
}
