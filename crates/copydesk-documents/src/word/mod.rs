//! Word documents (DOCX, ECMA-376): a zip with the text in the part that it names, footnotes and endnotes beside it, and other documents
//! that are put into it.
//!
//! The text as it stands: deleted words of tracked changes, comments, headers and footers are not in it, inserted words are. What nobody
//! sees (hidden, white on white, a point high) is set apart. A text box follows the paragraph that it is anchored in. Headings and list items
//! are marked as Markdown marks them.

mod archive;
mod comments;
mod enclosed;
mod look;
mod page;
mod passages;
mod returned;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use super::{bounds::bounded, encoding, hidden::Hidden, unreadable::Unreadable, web_page};
pub(super) use archive::is;
use archive::{opened, relations, unpacked, unpacked_bytes};
pub use comments::{Commented, WordComment, with_comments};
use look::Styles;
use page::WordPage;
pub use returned::read_returned;

/// A document within a document is read, one within that is not.
const DEEPEST: usize = 1;

/// The document's text.
///
/// # Errors
/// If it is no Word document, has a password, is damaged, or unpacks to more than is read.
pub(super) fn read(bytes: &[u8], notes: &mut Vec<String>, hidden: &mut Hidden) -> Result<String, Unreadable> {
    read_within(bytes, notes, hidden, 0)
}

fn read_within(bytes: &[u8], notes: &mut Vec<String>, hidden: &mut Hidden, depth: usize) -> Result<String, Unreadable> {
    let (mut archive, main, xml) = opened(bytes)?;
    let styles = unpacked(&mut archive, "word/styles.xml")?.map(|xml| Styles::read(&xml)).unwrap_or_default();
    let related = relations(&mut archive, &main)?;
    let mut chunks = HashMap::new();
    for relation in related.iter().filter(|relation| relation.kind == "aFChunk") {
        let Some(inner) = unpacked_bytes(&mut archive, &relation.part)? else { continue };
        chunks.insert(relation.id.clone(), chunk(&relation.part, &inner, notes, hidden, depth)?);
    }
    let mut parts = vec![xml];
    // A reader meets the notes behind the text.
    for (kind, usual) in [("footnotes", "word/footnotes.xml"), ("endnotes", "word/endnotes.xml")] {
        let named = related.iter().find(|relation| relation.kind == kind).map_or(usual, |relation| &relation.part);
        parts.extend(unpacked(&mut archive, named)?);
    }
    let mut text = String::new();
    for xml in parts {
        let mut page = WordPage::of(&styles, &chunks, hidden);
        page.read(&xml)?;
        text.push_str(&page.out);
        bounded(text.len())?;
    }
    Ok(text)
}

/// The text of a document that is put into another.
fn chunk(
    part: &str,
    bytes: &[u8],
    notes: &mut Vec<String>,
    hidden: &mut Hidden,
    depth: usize,
) -> Result<String, Unreadable> {
    if bytes.starts_with(b"PK") {
        return if depth < DEEPEST { read_within(bytes, notes, hidden, depth + 1) } else { Ok(String::new()) };
    }
    let ending = part.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
    match ending.as_str() {
        "html" | "htm" | "xhtml" => Ok(web_page::read(&encoding::page(bytes, notes)?, hidden)),
        "txt" => encoding::text(bytes, notes),
        "mht" | "mhtml" => Ok(web_page::read(&enclosed::page(&encoding::text(bytes, notes)?), hidden)),
        _ => {
            notes.push(format!("a part of it ({part}) is of a kind that is not read"));
            Ok(String::new())
        }
    }
}
