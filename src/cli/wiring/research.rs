//! What research is done with: pages are opened, feeds are read, the web and the knowledge base are searched.

use std::sync::Arc;

use crate::{
    config::{FetchSettings, Settings},
    documents::PageFacts,
    knowledge::reading::{self, NotRead},
    llm::{Fetcher, PageText, WebPages},
    ports::PageError,
};

/// Opens what a search for outside evidence cites, as a reader would: robots.txt is not asked.
pub(crate) fn cited(settings: &Settings) -> WebPages {
    let fetch = FetchSettings { respects_robots: false, ..settings.tools.fetch };
    let read = |address: &str, name: &str, body: &[u8]| {
        let page = reading::page(address, name, body).map_err(unreadable)?;
        Ok(PageText { text: page.text, facts: PageFacts::default() })
    };
    WebPages::new(Arc::new(Fetcher::new(settings.local_only, &fetch)), Arc::new(read))
}

fn unreadable(error: NotRead) -> PageError {
    // What follows tells how to mend a file of one's own.
    let why = error.to_string();
    PageError::Unreadable(why.split([':', ';']).next().unwrap_or_default().to_owned())
}
