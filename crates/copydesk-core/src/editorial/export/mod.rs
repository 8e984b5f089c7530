//! An article as a file of its own: Markdown, a web page, ninjs for other systems, Word documents.
//!
//! A model wrote the text, so nothing in it is trusted: every format escapes it in its own way.

mod corrected;
mod disclosure;
pub mod docx;
mod embargo;
mod html;
mod imprint;
mod linked_data;
mod ninjs;
mod withdrawn;
mod written;

pub use disclosure::disclosure_line;
pub use embargo::embargo_line;
pub(super) use html::escaped;
pub use html::to_html;
pub use imprint::{Edition, Imprint};
pub use ninjs::to_ninjs;
pub use withdrawn::{notice, withdrawn_line};
pub use written::{ExportFormat, with_notices, written, written_notice};

use crate::editorial::drafts;
use copydesk_newsroom::ArticleResponse;

/// The article as Markdown, as its drafts are kept.
#[must_use]
pub fn to_markdown(article: &ArticleResponse) -> String {
    drafts::to_markdown(article)
}
