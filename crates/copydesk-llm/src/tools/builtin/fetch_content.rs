//! `fetch_content`: the main text of a page.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::json;

use super::{
    arguments::{self, UrlArguments},
    frame,
};
use copydesk_core::ports::{Clock, Pages, ToolError, Toolbox};
use copydesk_newsroom::{Agent, FoundSource, Tool, ToolCall, ToolResult};

/// Opens a page and brings its text home.
pub struct FetchContent {
    pub pages: Arc<dyn Pages>,
    pub clock: Arc<dyn Clock>,
}

impl FetchContent {
    pub const NAME: &str = "fetch_content";
}

#[async_trait]
impl Toolbox for FetchContent {
    async fn tools(&self, _: Agent) -> Vec<Tool> {
        let description = "Opens a web page, PDF, Word or text file and returns its main text, with title, byline, publisher and date if it \
                           states them. Pages that a site closes to programs, and addresses in private networks, are refused.";
        let url = json!({"type": "string", "description": "The address, beginning with https:// or http://"});
        arguments::offer(Self::NAME, description, &json!({"url": url}), "url")
    }

    async fn call(&self, _: Agent, call: &ToolCall) -> Result<ToolResult, ToolError> {
        let UrlArguments { url } = match arguments::read(call, r#"{"url": "https://example.org/page"}"#) {
            Ok(read) => read,
            Err(failed) => return Ok(failed),
        };
        Ok(match self.pages.open(&url).await {
            Ok(page) => {
                let source = FoundSource { read_at: format!("{:.0}", self.clock.now()), ..page };
                ToolResult { text: frame::of("Page", &source), found: vec![source], ..ToolResult::default() }
            }
            Err(error) => ToolResult::failure(format!("{url} was not opened: {error}. Try another address.")),
        })
    }
}
