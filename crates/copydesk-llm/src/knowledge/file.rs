//! Turns a knowledge file into passages.

use std::{
    io::{self, BufRead as _, BufReader, Read},
    path::Path,
};

use sha2::{Digest, Sha256};

use super::{
    chunking::{self, Chunking, Markup},
    front_matter::{self, BadFrontMatter, FrontMatter},
    reading::{self, NotRead},
};
use copydesk_core::ports::{KnowledgeFile, NewDocument, NewPassage};
use copydesk_documents::{Document, DocumentKind, ReadingPurpose};
use copydesk_newsroom::Tier;
use copydesk_text::sanitise;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct How {
    pub(super) chunking: Chunking,
    /// The credibility of a file that does not state one.
    pub(super) default_credibility: f64,
}

/// Why a knowledge file cannot be indexed.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotIndexed {
    #[error(transparent)]
    Unopened(#[from] io::Error),
    #[error(transparent)]
    NotRead(#[from] NotRead),
    #[error(transparent)]
    FrontMatter(#[from] BadFrontMatter),
    /// It stopped its reader before, and is left alone.
    #[error("{0}. It is not read again until it changes, or `copydesk kb index --again` asks for it")]
    Stopped(String),
    #[error("reading it failed ({0})")]
    Panicked(#[from] tokio::task::JoinError),
}

/// Reads a file. Blocks, for a minute at most.
pub(super) fn read(file: &KnowledgeFile, path: &Path, how: &How) -> Result<NewDocument, NotIndexed> {
    of_text(&file.path, reading::document(path, ReadingPurpose::Index)?, how)
}

/// The SHA-256 of bytes that are read piece by piece, in hex.
pub(super) fn digest(from: impl Read) -> io::Result<String> {
    let mut sha = Sha256::new();
    let mut from = BufReader::with_capacity(1 << 16, from);
    loop {
        let piece = from.fill_buf()?;
        if piece.is_empty() {
            return Ok(hex::encode(sha.finalize()));
        }
        sha.update(piece);
        let read = piece.len();
        from.consume(read);
    }
}

fn of_text(name: &str, document: Document, how: &How) -> Result<NewDocument, NotIndexed> {
    let text = document.text;
    let (said, begins) = match document.kind {
        DocumentKind::Text => front_matter::read(&text)?,
        _ => (FrontMatter::default(), 0),
    };
    let markup = markup(name, document.kind);
    let body = text.get(begins..).unwrap_or_default();
    let heading = || (markup == Markup::Markdown).then(|| chunking::first_heading(body)).flatten();
    let title = said.title.or_else(heading).unwrap_or_else(|| stem(name));
    let passages = how.chunking.cut(body, markup).into_iter().map(|passage| NewPassage {
        start: passage.start + begins as u64,
        end: passage.end + begins as u64,
        // The title is shown above every passage already.
        heading: below(&passage.heading, &title),
        ..passage
    });
    Ok(NewDocument {
        name: name.to_owned(),
        passages: passages.collect(),
        title,
        tier: Tier::Knowledge,
        credibility: said.credibility.unwrap_or(how.default_credibility),
        published: said.published,
        text,
        hidden: document.hidden,
        ..NewDocument::default()
    })
}

fn markup(name: &str, kind: DocumentKind) -> Markup {
    let ending = Path::new(name).extension().map(std::ffi::OsStr::to_ascii_lowercase);
    let markdown = ending.is_some_and(|ending| ending == "md" || ending == "markdown");
    match kind {
        // Their readers write headings in Markdown.
        DocumentKind::WebPage | DocumentKind::Word | DocumentKind::Book => Markup::Markdown,
        DocumentKind::Text if markdown => Markup::Markdown,
        DocumentKind::Text | DocumentKind::Captions | DocumentKind::Table | DocumentKind::Pdf => Markup::Plain,
    }
}

fn below(heading: &str, title: &str) -> String {
    match heading.strip_prefix(title) {
        Some("") => String::new(),
        Some(rest) => rest.strip_prefix(" > ").map_or_else(|| heading.to_owned(), str::to_owned),
        None => heading.to_owned(),
    }
}

fn stem(name: &str) -> String {
    let stem = Path::new(name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    sanitise::one_line(&stem.unwrap_or_else(|| name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_documents as documents;

    fn how() -> How {
        let chunking = Chunking { encoding: "o200k_base".into(), size: 60, overlap: 0 };
        How { chunking, default_credibility: 0.5 }
    }

    fn read(name: &str, text: &str) -> NewDocument {
        of_text(name, documents::read(name, text.as_bytes(), ReadingPurpose::Index).unwrap(), &how()).unwrap()
    }

    #[test]
    fn offsets_are_those_of_the_file() {
        let filler = "The council met and spoke of it at length, and the minutes say so. ".repeat(3);
        let text =
            format!("---\ncredibility: 0.9\ndate: 2026-01-02\n---\n\n# Parks\n\n{filler}\n\n## Cost\n\n{filler}\n");
        let document = read("reports/parks.md", &text);
        assert_eq!((document.title.as_str(), document.credibility), ("Parks", 0.9));
        assert_eq!(document.published.as_deref(), Some("2026-01-02"));
        let cut: Vec<(&str, &str)> = document
            .passages
            .iter()
            .map(|p| (p.heading.as_str(), &text[usize::try_from(p.start).unwrap()..usize::try_from(p.end).unwrap()]))
            .collect();
        assert_eq!(cut.len(), 2);
        assert!(cut[0].0.is_empty() && cut[0].1.starts_with("# Parks"), "{cut:?}");
        assert!(cut[1].0 == "Cost" && cut[1].1.starts_with("## Cost"), "{cut:?}");
    }

    #[test]
    fn a_text_without_headings_is_called_after_its_file() {
        let document = read("2026/Budget notes.txt", "# 12 of the 14 voted.");
        assert_eq!((document.title.as_str(), document.credibility, document.published), ("Budget notes", 0.5, None));
        let page =
            read("minutes.html", "<html><head><title>Minutes</title></head><body><p>They met.</p></body></html>");
        assert_eq!(page.title, "Minutes");
    }
}
