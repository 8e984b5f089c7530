//! `fetch_content`: the main text of a page.

use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::json;

use super::{arguments, frame};
use copydesk_core::ports::{Clock, Pages, ToolError, Toolbox, WebPage};
use copydesk_newsroom::{Agent, FoundSource, Tool, ToolCall, ToolEffect, ToolResult};

/// Opens a page and brings its text home.
pub struct FetchContent {
    pages: Arc<dyn Pages>,
    clock: Arc<dyn Clock>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FetchArguments {
    url: String,
}

impl FetchContent {
    pub const NAME: &str = "fetch_content";

    #[must_use]
    pub fn new(pages: Arc<dyn Pages>, clock: Arc<dyn Clock>) -> Self {
        Self { pages, clock }
    }
}

#[async_trait]
impl Toolbox for FetchContent {
    async fn tools(&self, _: Agent) -> Vec<Tool> {
        vec![Tool {
            name: Self::NAME.into(),
            description: "Opens a web page, PDF, Word or text file and returns its main text, with title, byline, publisher and date if it \
                          states them. Pages that a site closes to programs, and addresses in private networks, are refused."
                .into(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "url": {"type": "string", "description": "The address, beginning with https:// or http://"}
                },
                "required": ["url"],
                "additionalProperties": false
            }),
            effect: ToolEffect::Reads,
        }]
    }

    async fn call(&self, _: Agent, call: &ToolCall) -> Result<ToolResult, ToolError> {
        let FetchArguments { url } = match arguments::read(call, r#"{"url": "https://example.org/page"}"#) {
            Ok(read) => read,
            Err(failed) => return Ok(failed),
        };
        Ok(match self.pages.open(&url).await {
            Ok(page) => {
                let WebPage { address, title, text, digest, byline, publisher, published, hidden } = page;
                let read_at = format!("{:.0}", self.clock.now());
                let source = FoundSource {
                    title,
                    address,
                    name: None,
                    text,
                    digest,
                    published,
                    byline,
                    publisher,
                    read_at,
                    hidden,
                };
                ToolResult { text: frame::of("Page", &source), found: vec![source], ..ToolResult::default() }
            }
            Err(error) => ToolResult::failure(format!("{url} was not opened: {error}. Try another address.")),
        })
    }
}
