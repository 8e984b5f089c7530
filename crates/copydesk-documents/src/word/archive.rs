//! The zip that a Word document is, and what other zips are.

use std::io::Cursor;

use quick_xml::events::Event;
use zip::ZipArchive;

use crate::{
    kind::DocumentKind,
    packed::{self, attribute},
    unreadable::Unreadable,
};

/// The part that usually holds the text.
const MAIN: &str = "word/document.xml";

/// A packed document in memory.
type PackedBytes<'b> = ZipArchive<Cursor<&'b [u8]>>;

/// Whether an archive is a Word document.
pub(crate) fn is(archive: &PackedBytes<'_>) -> bool {
    archive.file_names().filter_map(Result::ok).any(|name| name.starts_with("word/document") && name.ends_with(".xml"))
}

/// A relation of a part of a document to another part.
pub(super) struct Relation {
    pub(super) id: String,
    /// The last piece of its kind's address: `officeDocument`, `aFChunk`.
    pub(super) kind: String,
    /// The part, by its name in the archive.
    pub(super) part: String,
}

/// The name of the file that holds the relations of a part.
pub(super) fn relations_of(part: &str) -> String {
    match part.rsplit_once('/') {
        Some((folder, name)) => format!("{folder}/_rels/{name}.rels"),
        None => format!("_rels/{part}.rels"),
    }
}

/// Reads the relations of a part; those of the archive itself, if the part has no name.
pub(super) fn relations(archive: &mut PackedBytes<'_>, part: &str) -> Result<Vec<Relation>, Unreadable> {
    let folder = part.rsplit_once('/').map_or_else(String::new, |(folder, _)| format!("{folder}/"));
    let Some(xml) = unpacked(archive, &relations_of(part))? else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    // If the list is damaged, what stands before the damage counts.
    let _ = each_event(&xml, |event| {
        if let Event::Start(tag) | Event::Empty(tag) = &event {
            let named = |name| attribute(tag, name).unwrap_or_default();
            let target = named("Target");
            let part = target.strip_prefix('/').map_or_else(|| format!("{folder}{target}"), str::to_owned);
            let kind = named("Type").rsplit('/').next().unwrap_or_default().to_owned();
            found.push(Relation { id: named("Id"), kind, part });
        }
        Ok(())
    });
    Ok(found)
}

/// The archive, with the name and the text of the part that holds the document's text: the one that the archive names.
pub(super) fn opened(bytes: &[u8]) -> Result<(PackedBytes<'_>, String, String), Unreadable> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken(&error))?;
    let named = relations(&mut archive, "")?.into_iter().find(|relation| relation.kind == "officeDocument");
    let main = named.map_or_else(|| MAIN.to_owned(), |relation| relation.part);
    match unpacked(&mut archive, &main)? {
        Some(xml) => Ok((archive, main, xml)),
        None => Err(other(&mut archive)?),
    }
}

/// Archives that are other documents: a part that tells them, how it begins, what they are, what they can be saved as.
const OTHERS: [(&str, &str, &str, &str); 5] = [
    ("mimetype", "application/vnd.oasis.opendocument.text", "an OpenDocument text (ODT)", ".docx"),
    ("mimetype", "application/vnd.oasis.opendocument.spreadsheet", "an OpenDocument spreadsheet (ODS)", ".csv"),
    ("mimetype", "application/vnd.oasis.opendocument.presentation", "an OpenDocument presentation (ODP)", ".pdf"),
    ("xl/workbook.xml", "", "an Excel workbook (XLSX)", ".csv"),
    ("ppt/presentation.xml", "", "a PowerPoint presentation (PPTX)", ".pdf"),
];

/// Tells why an archive without Word's text cannot be read: another known format, or a broken file.
fn other(archive: &mut PackedBytes<'_>) -> Result<Unreadable, Unreadable> {
    for (part, begins, what, instead) in OTHERS {
        if unpacked(archive, part)?.is_some_and(|text| text.starts_with(begins)) {
            return Ok(Unreadable::OtherFormat { what, instead });
        }
    }
    Ok(Unreadable::Broken { kind: DocumentKind::Word, message: "there is no text of Word's in it".into() })
}

pub(super) fn broken(error: &impl ToString) -> Unreadable {
    packed::broken(DocumentKind::Word, error)
}

/// Hands the events of a part to `take`, one after the other.
pub(super) fn each_event<'x>(
    xml: &'x str,
    take: impl FnMut(Event<'x>) -> Result<(), Unreadable>,
) -> Result<(), Unreadable> {
    packed::each_event(xml, DocumentKind::Word, take)
}

pub(super) fn unpacked(archive: &mut PackedBytes<'_>, part: &str) -> Result<Option<String>, Unreadable> {
    Ok(unpacked_bytes(archive, part)?.map(|xml| String::from_utf8_lossy(&xml).into_owned()))
}

pub(super) fn unpacked_bytes(archive: &mut PackedBytes<'_>, part: &str) -> Result<Option<Vec<u8>>, Unreadable> {
    packed::unpacked(archive, part, 0, DocumentKind::Word)
}
