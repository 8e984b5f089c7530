//! An article as a file of its own: Markdown, a web page, ninjs for other systems, Word documents.
//!
//! A model wrote the text, so nothing in it is trusted. Every format escapes it in its own way.

pub mod docx;
mod html;
mod imprint;
mod linked_data;
mod ninjs;
mod reader_sources;
mod written;

pub use crate::editorial::drafts::to_markdown;
pub(super) use html::leads_out;
pub use html::to_html;
pub use imprint::{Edition, Imprint, disclosure_line, embargo_line, notice, withdrawn_line};
pub use ninjs::to_ninjs;
pub use reader_sources::{ReaderSource, reader_sources, with_pages, with_sources};
pub use written::{ExportFormat, in_format, with_notices, written, written_notice};
