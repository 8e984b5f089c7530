//! The state of the live page: the rail, and the text that is being written or was written last.

use std::sync::Arc;

use crate::{screens::live::rail::RailRow, widgets::page::Page};

#[derive(Debug, Clone)]
pub struct LivePage {
    pub rail: Vec<RailRow>,
    /// How many rows of the rail are below its last row on the screen.
    pub rows_below: usize,
    pub text: Page,
}

impl Default for LivePage {
    fn default() -> Self {
        Self { rail: Vec::new(), rows_below: 0, text: Page::new(Arc::from("")) }
    }
}
