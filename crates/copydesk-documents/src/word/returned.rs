//! A Word document that comes back from somebody who reviewed it: its text as it stands, the changes that are still tracked, the comments.

use std::collections::BTreeMap;

use quick_xml::events::{BytesStart, Event};

use super::{
    archive::{each_event, opened, unpacked},
    look::value,
};
use crate::{
    bounds::bounded,
    packed::{attribute, said},
    unreadable::Unreadable,
};
use copydesk_newsroom::{PendingChange, ReturnedComment, ReturnedDocument, ReturnedParagraph};

/// Reads a document that came back.
///
/// # Errors
/// As for reading any Word document.
pub fn read_returned(bytes: &[u8]) -> Result<ReturnedDocument, Unreadable> {
    let (mut archive, _, xml) = opened(bytes)?;
    let mut page = Page::default();
    each_event(&xml, |event| bounded(page.take(&event)))?;
    let mut notes = Notes::default();
    if let Some(xml) = unpacked(&mut archive, "word/comments.xml")? {
        each_event(&xml, |event| bounded(notes.take(&event)))?;
    }
    let Page { mut document, mut about, .. } = page;
    let comments = notes.comments.into_iter();
    let on = |(id, comment): (String, ReturnedComment)| {
        let about = about.remove(&id).unwrap_or_default().trim().to_owned();
        ReturnedComment { about, text: comment.text.trim().to_owned(), ..comment }
    };
    document.comments = comments.map(on).collect();
    Ok(document)
}

/// The document so far.
#[derive(Default)]
struct Page {
    document: ReturnedDocument,
    paragraph: ReturnedParagraph,
    /// The paragraphs that text boxes interrupt.
    held: Vec<ReturnedParagraph>,
    /// The words of the comments by their numbers, and which comments are open.
    about: BTreeMap<String, String>,
    open: Vec<String>,
    /// How many insertions, deletions and doubles are open; whether what comes is words.
    inserted: usize,
    deleted: usize,
    doubled: usize,
    words: bool,
    size: usize,
}

impl Page {
    /// Returns how much was read.
    fn take(&mut self, event: &Event<'_>) -> usize {
        match event {
            Event::Start(tag) => self.begin(tag, true),
            Event::Empty(tag) => self.begin(tag, false),
            Event::End(tag) => match tag.local_name().as_ref() {
                "ins" | "moveTo" => self.inserted = self.inserted.saturating_sub(1),
                "del" | "moveFrom" => self.deleted = self.deleted.saturating_sub(1),
                "Fallback" => self.doubled = self.doubled.saturating_sub(1),
                "t" | "delText" => self.words = false,
                "p" => {
                    let outer = self.held.pop().unwrap_or_default();
                    let paragraph = std::mem::replace(&mut self.paragraph, outer);
                    if !paragraph.text.trim().is_empty() {
                        self.document.paragraphs.push(paragraph);
                    }
                }
                _ => {}
            },
            _ => {
                if self.words
                    && let Some(said) = said(event)
                {
                    self.say(&said);
                }
            }
        }
        self.size
    }

    fn begin(&mut self, tag: &BytesStart<'_>, has_content: bool) {
        match tag.local_name().as_ref() {
            // An empty element marks the end of a paragraph, which has no words.
            "ins" | "moveTo" if has_content => {
                self.inserted += 1;
                self.document.pending.push(PendingChange { inserted: true, text: String::new() });
            }
            "del" | "moveFrom" if has_content => {
                self.deleted += 1;
                self.document.pending.push(PendingChange { inserted: false, text: String::new() });
            }
            "Fallback" if has_content => self.doubled += 1,
            "t" | "delText" if has_content => self.words = self.doubled == 0,
            "p" if has_content => self.held.push(std::mem::take(&mut self.paragraph)),
            "pStyle" => self.paragraph.style = value(tag).unwrap_or_default(),
            "tab" if self.deleted == 0 => self.paragraph.text.push('\t'),
            "br" | "cr" if self.deleted == 0 => self.paragraph.text.push('\n'),
            "bookmarkStart" => self.document.bookmarks.extend(attribute(tag, "name")),
            "commentRangeStart" => self.open.extend(attribute(tag, "id")),
            "commentRangeEnd" => {
                let id = attribute(tag, "id");
                self.open.retain(|open| Some(open) != id.as_ref());
            }
            _ => {}
        }
    }

    fn say(&mut self, text: &str) {
        self.size += text.len() * (1 + self.open.len());
        if self.inserted + self.deleted > 0
            && let Some(change) = self.document.pending.last_mut()
        {
            change.text.push_str(text);
        }
        if self.deleted == 0 {
            self.paragraph.text.push_str(text);
            for id in &self.open {
                self.about.entry(id.clone()).or_default().push_str(text);
            }
        }
    }
}

/// The comments so far, each with its number.
#[derive(Default)]
struct Notes {
    comments: Vec<(String, ReturnedComment)>,
    words: bool,
    size: usize,
}

impl Notes {
    fn take(&mut self, event: &Event<'_>) -> usize {
        match event {
            Event::Start(tag) => match tag.local_name().as_ref() {
                "comment" => {
                    let named = |name| attribute(tag, name).unwrap_or_default();
                    let comment = ReturnedComment { by: named("author"), ..ReturnedComment::default() };
                    self.comments.push((named("id"), comment));
                }
                "t" => self.words = true,
                _ => {}
            },
            Event::End(tag) => match tag.local_name().as_ref() {
                "t" => self.words = false,
                "p" => self.say("\n"),
                _ => {}
            },
            _ => {
                if self.words
                    && let Some(said) = said(event)
                {
                    self.say(&said);
                }
            }
        }
        self.size
    }

    fn say(&mut self, text: &str) {
        self.size += text.len();
        if let Some((_, comment)) = self.comments.last_mut() {
            comment.text.push_str(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        tests::made::docx,
        word::{WordComment, with_comments},
    };

    #[test]
    fn text_pending_changes_and_comments_are_read() {
        let body = "<w:p><w:pPr><w:pStyle w:val=\"Title\"/></w:pPr><w:bookmarkStart w:id=\"0\" w:name=\"Copydesk_1\"/><w:r><w:t>Park</w:t></w:r></w:p>\
                    <w:p><w:r><w:t xml:space=\"preserve\">It has </w:t></w:r><w:del w:author=\"Ada\"><w:r><w:delText>1.8</w:delText></w:r></w:del>\
                    <w:ins w:author=\"Ada\"><w:r><w:t>1.4</w:t></w:r></w:ins><w:r><w:t xml:space=\"preserve\"> miles &amp; more.</w:t></w:r></w:p>\
                    <w:p><w:pPr><w:rPr><w:del w:author=\"Ada\"/></w:rPr></w:pPr></w:p>";
        let comment = WordComment { words: "1.4 miles".into(), before: 0, by: "Bo".into(), text: "Sure?\nAsk.".into() };
        let commented = with_comments(&docx(body), &[comment], "2026-11-25T10:00:00Z").unwrap();
        let returned = read_returned(&commented.bytes).unwrap();
        let texts: Vec<_> = returned.paragraphs.iter().map(|one| (one.style.as_str(), one.text.as_str())).collect();
        assert_eq!(texts, [("Title", "Park"), ("", "It has 1.4 miles & more.")]);
        assert_eq!(returned.bookmarks, ["Copydesk_1"]);
        let pending = |inserted, text: &str| PendingChange { inserted, text: text.into() };
        assert_eq!(returned.pending, [pending(false, "1.8"), pending(true, "1.4")]);
        let about = "1.4 miles".to_owned();
        assert_eq!(returned.comments, [ReturnedComment { by: "Bo".into(), text: "Sure?\nAsk.".into(), about }]);
        let inside = "<w:pict><w:txbxContent><w:p><w:r><w:t>Boxed.</w:t></w:r></w:p></w:txbxContent></w:pict>";
        let boxed = format!("<w:p><w:r><w:t>Before</w:t>{inside}<w:t> and after.</w:t></w:r></w:p>");
        let texts: Vec<_> = read_returned(&docx(&boxed)).unwrap().paragraphs.into_iter().map(|one| one.text).collect();
        assert_eq!(texts, ["Boxed.", "Before and after."], "a text box takes no words of its paragraph away");
        assert!(read_returned(b"%PDF").is_err());
    }
}
