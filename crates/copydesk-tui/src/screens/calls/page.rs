//! The state of the page of calls: the list, and the texts of the selected call.

use std::sync::Arc;

use crate::{app::messages::CallLayout, screens::concerns::picked::Picked, widgets::page::Page};
use copydesk_core::ports::{CallRow, CallText};

#[derive(Debug, Clone)]
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
    /// The savings in the text that agents read, a sentence each; empty until they are measured.
    pub saved: Vec<String>,
}

impl Default for CallsPage {
    fn default() -> Self {
        let page = Page::new(Arc::from(""));
        Self { list: Picked::default(), texts: None, page, in_text: false, raw: false, saved: Vec::new() }
    }
}

impl CallsPage {
    /// The selected call as it is to be shown.
    pub fn laid(&self) -> Option<CallLayout> {
        let call = self.list.row()?;
        Some(CallLayout { run: call.run, step: call.step, attempt: call.attempt, raw: self.raw })
    }
}
