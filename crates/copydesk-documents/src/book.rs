//! Books (EPUB 2 and 3): a zip with a container that names a package, whose spine says which web pages follow each other.
//!
//! The text is that of the spine's pages in their order, under the book's title. Nothing outside the archive is ever looked at: a path
//! that leads out of it is one that is missing. Entities that a document declares itself are not resolved.

use std::{
    collections::{HashMap, HashSet},
    io::Cursor,
};

use percent_encoding::percent_decode_str;
use quick_xml::events::{BytesStart, Event};
use regex::Captures;
use zip::ZipArchive;

use super::{
    bounds::bounded,
    encoding,
    hidden::Hidden,
    kind::DocumentKind,
    packed::{self, attribute},
    unreadable::Unreadable,
    web_page,
};
use copydesk_text::{count, pattern::TextPattern, sanitise};

/// The most parts of an archive. The largest books have some thousands.
const MOST_PARTS: usize = 20_000;

/// Most notes on single parts that are given.
const MOST_NOTES: usize = 3;

const CONTAINER: &str = "META-INF/container.xml";

/// The book's text.
///
/// # Errors
/// If it is no book, is protected, is damaged, or unpacks to more than is read.
pub(super) fn read(bytes: &[u8], notes: &mut Vec<String>, hidden: &mut Hidden) -> Result<String, Unreadable> {
    let mut book = Book::open(bytes)?;
    let container = book.part(CONTAINER)?.ok_or_else(|| broken(&format!("there is no {CONTAINER} in it")))?;
    let path = package_path(&xml(&container))?.ok_or_else(|| broken(&"it names no package of pages"))?;
    let package = book.part(&path)?.ok_or_else(|| broken(&format!("the package {path} is missing")))?;
    let package = Package::read(&xml(&package))?;
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let pages = package.pages(folder);
    let list = book.part("META-INF/encryption.xml")?;
    let locked = list.map(|list| locked(&xml(&list))).transpose()?.unwrap_or_default();
    if locked.contains(&path) || pages.iter().flatten().any(|page| locked.contains(page)) {
        return Err(Unreadable::Locked);
    }
    let mut text = package.title.map(|title| format!("# {title}\n")).unwrap_or_default();
    let (mut missing, mut said, mut any) = (0, PageNotes::default(), false);
    for page in &pages {
        let bytes = page.as_ref().map(|page| book.part(page)).transpose()?.flatten();
        let (Some(page), Some(bytes)) = (page, bytes) else {
            missing += 1;
            continue;
        };
        let mut own = Vec::new();
        match encoding::page(&bytes, &mut own) {
            Ok(html) => {
                any = true;
                let page = web_page::read(&as_html(&html), hidden);
                if !sanitise::is_blank(&page) {
                    text.push('\n');
                    text.push_str(page.trim_matches('\n'));
                    text.push('\n');
                }
            }
            Err(error) => own.push(format!("{error}, and is left out")),
        }
        said.add(page, &own);
        bounded(text.len())?;
    }
    if missing > 0 {
        notes.push(format!(
            "{missing} of its {} {} not in it",
            count(pages.len(), "part"),
            if missing == 1 { "is" } else { "are" }
        ));
    }
    said.give(notes);
    if any { Ok(text) } else { Err(broken(&"none of the parts that it names can be read")) }
}

/// Whether an archive is a book.
pub(super) fn is(archive: &ZipArchive<Cursor<&[u8]>>) -> bool {
    archive.index_for_name(CONTAINER).is_some()
}

fn broken(message: &impl ToString) -> Unreadable {
    packed::broken(DocumentKind::Book, message)
}

/// Markup of the book's own files is UTF-8 or UTF-16, which its first bytes say.
fn xml(bytes: &[u8]) -> String {
    match encoding_rs::Encoding::for_bom(bytes) {
        Some((encoding, _)) => encoding.decode(bytes).0.into_owned(),
        None => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// The archive, and how much of it was unpacked.
struct Book<'b> {
    archive: ZipArchive<Cursor<&'b [u8]>>,
    unpacked: usize,
}

impl<'b> Book<'b> {
    fn open(bytes: &'b [u8]) -> Result<Self, Unreadable> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken(&error))?;
        if archive.len() > MOST_PARTS {
            return Err(broken(&format!("it has {} parts, more than the {MOST_PARTS} that are read", archive.len())));
        }
        Ok(Self { archive, unpacked: 0 })
    }

    /// A part; none if there is none of that name.
    fn part(&mut self, name: &str) -> Result<Option<Vec<u8>>, Unreadable> {
        // Many parts can be one and the same stretch of the archive.
        let bytes = packed::unpacked(&mut self.archive, name, self.unpacked, DocumentKind::Book)?;
        self.unpacked += bytes.as_ref().map_or(0, Vec::len);
        Ok(bytes)
    }
}

/// The notes on a book's parts: the first [`MOST_NOTES`], and how many more parts have some.
#[derive(Default)]
struct PageNotes {
    given: Vec<String>,
    unnamed: usize,
}

impl PageNotes {
    fn add(&mut self, page: &str, notes: &[String]) {
        let room = MOST_NOTES.saturating_sub(self.given.len());
        self.given.extend(notes.iter().take(room).map(|note| format!("{}: {note}", sanitise::excerpt(page, 80))));
        self.unnamed += usize::from(room == 0 && !notes.is_empty());
    }

    fn give(self, notes: &mut Vec<String>) {
        notes.extend(self.given);
        if self.unnamed > 0 {
            notes.push(format!("likewise {} more", count(self.unnamed, "part")));
        }
    }
}

/// Hands each element that begins to `found`.
fn each_tag(xml: &str, mut found: impl FnMut(&BytesStart<'_>)) -> Result<(), Unreadable> {
    packed::each_event(xml, DocumentKind::Book, |event| {
        if let Event::Start(tag) | Event::Empty(tag) = &event {
            found(tag);
        }
        Ok(())
    })
}

/// The package that the container names first.
fn package_path(container: &str) -> Result<Option<String>, Unreadable> {
    let mut path = None;
    each_tag(container, |tag| {
        if tag.local_name().as_ref() == "rootfile" && path.is_none() {
            path = attribute(tag, "full-path").and_then(|named| resolve("", &named));
        }
    })?;
    Ok(path)
}

/// The contents of the package: the title, the parts by their names, and the order of reading.
#[derive(Default)]
struct Package {
    title: Option<String>,
    parts: HashMap<String, (String, String)>,
    spine: Vec<String>,
}

impl Package {
    fn read(xml: &str) -> Result<Self, Unreadable> {
        let (mut package, mut titles) = (Self::default(), Vec::<String>::new());
        // The title that is open: the next element ends it.
        let mut open: Option<String> = None;
        packed::each_event(xml, DocumentKind::Book, |event| {
            if let Event::Start(tag) | Event::Empty(tag) = &event {
                titles.extend(open.take());
                let named = |name: &str| attribute(tag, name).unwrap_or_default();
                match tag.local_name().as_ref() {
                    "title" => open = Some(String::new()),
                    "item" => drop(package.parts.insert(named("id"), (named("href"), named("media-type")))),
                    "itemref" => package.spine.extend(attribute(tag, "idref")),
                    _ => {}
                }
            } else if let (Some(title), Some(said)) = (&mut open, packed::said(&event)) {
                title.push_str(&said);
            }
            Ok(())
        })?;
        titles.extend(open);
        package.title =
            titles.iter().map(|title| sanitise::excerpt(title, 300)).find(|title| !sanitise::is_blank(title));
        Ok(package)
    }

    /// The paths of the spine's pages in order, each once; none if it is not in the list of parts, or leads out of the archive.
    fn pages(&self, folder: &str) -> Vec<Option<String>> {
        let mut seen = HashSet::new();
        let mut pages = Vec::new();
        for id in self.spine.iter().filter(|id| seen.insert(id.as_str())) {
            match self.parts.get(id) {
                // A picture can be a page, too.
                Some((_, kind)) if !kind.is_empty() && !is_text(kind) => {}
                Some((href, _)) => pages.push(resolve(folder, href)),
                None => pages.push(None),
            }
        }
        pages
    }
}

fn is_text(kind: &str) -> bool {
    ["application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document"]
        .iter()
        .any(|known| kind.trim().eq_ignore_ascii_case(known))
}

/// The parts that cannot be read without a key. Fonts that are merely garbled are none.
fn locked(list: &str) -> Result<HashSet<String>, Unreadable> {
    let mut locked = HashSet::new();
    each_tag(list, |tag| {
        if tag.local_name().as_ref() == "CipherReference" {
            locked.extend(attribute(tag, "URI").and_then(|path| resolve("", &path)));
        }
    })?;
    Ok(locked)
}

/// The path in the archive that a link from a folder leads to; none if it leads out.
fn resolve(folder: &str, link: &str) -> Option<String> {
    let link = link.split(['#', '?']).next().unwrap_or_default();
    let whole = match percent_decode_str(link).decode_utf8().ok()?.into_owned() {
        link if link.starts_with('/') || folder.is_empty() => link,
        link => format!("{folder}/{link}"),
    };
    let mut path: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                path.pop()?;
            }
            part => path.push(part),
        }
    }
    (!path.is_empty()).then(|| path.join("/"))
}

/// An element that is empty, as XML writes it.
static EMPTY: TextPattern = TextPattern::new(r#"<([A-Za-z][\w.-]*)((?:\s(?:[^<>"']|"[^"<]*"|'[^'<]*')*)?)/>"#);

/// A page's own title, which is the book's or the file's: its headings say more.
static TITLE: TextPattern = TextPattern::new(r"(?is)<title\b[^>]*>.*?</title\s*>");

/// A footnote, which a web page would have as something beside its text.
static NOTE: TextPattern = TextPattern::new(
    r#"(?is)<aside\b([^>]*\b(?:epub:type|role)\s*=\s*["'][^"']*note[^"']*["'][^>]*)>(.*?)</aside\s*>"#,
);

/// A page of a book as the reader of web pages takes it: in HTML `<title/>` or `<script/>` would take in all that follows.
fn as_html(page: &str) -> String {
    let ended = |found: &Captures<'_>| {
        let part = |group: usize| found.get(group).map_or("", |part| part.as_str());
        let name = part(1);
        if web_page::is_void(name) { part(0).to_owned() } else { format!("<{name}{}></{name}>", part(2)) }
    };
    let page = EMPTY.replace_all(page, ended);
    let page = TITLE.replace_all(&page, "");
    NOTE.replace_all(&page, "<div$1>$2</div>").into_owned()
}

#[cfg(test)]
mod tests;
