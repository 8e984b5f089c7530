//! Comments in a copy of somebody's Word document. Everything else of it stays as it is, byte for byte where no comment goes.

use std::{
    collections::BTreeMap,
    io::{Cursor, Write as _},
};

use quick_xml::{
    Writer,
    events::{BytesEnd, BytesStart, BytesText, Event},
};
use serde::{Deserialize, Serialize};
use zip::{ZipArchive, ZipWriter, write::SimpleFileOptions};

use super::{
    archive::{broken, each_event, opened, relations_of, unpacked},
    passages::{TextCount, WordsInOrder, prefix},
};
use crate::{
    packed::{attribute, said},
    unreadable::Unreadable,
};
use copydesk_text::xml::legal;

/// A comment on words of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordComment {
    /// The words. White space counts as one space, whatever it is.
    pub words: String,
    /// How often they stand in the document before the place that is meant.
    pub before: usize,
    pub by: String,
    pub text: String,
}

/// A document with comments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commented {
    pub bytes: Vec<u8>,
    /// How many comments stand at the beginning, since the document has their words nowhere.
    pub without_place: usize,
}

const COMMENTS: &str = "word/comments.xml";
const TYPES: &str = "[Content_Types].xml";
const KIND: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml";
const WORD: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const CONTENT: &str = "http://schemas.openxmlformats.org/package/2006/content-types";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006/relationships";

/// Puts comments into a copy of a document. `at`: their date, ISO 8601.
///
/// # Errors
/// As for reading it.
pub fn with_comments(bytes: &[u8], comments: &[WordComment], at: &str) -> Result<Commented, Unreadable> {
    let (mut archive, document, xml) = opened(bytes)?;
    let known = unpacked(&mut archive, COMMENTS)?;
    let related = relations_of(&document);
    let relations = unpacked(&mut archive, &related)?;
    let types = unpacked(&mut archive, TYPES)?;
    let first = known.as_deref().map_or(Ok(0), next_id)?;
    let passages = WordsInOrder::read(&xml)?;
    let places: Vec<_> = comments.iter().map(|comment| passages.find(&comment.words, comment.before)).collect();
    let mut cuts: BTreeMap<(usize, usize), Vec<Cut>> = BTreeMap::new();
    for (id, place) in (first..).zip(&places) {
        let place = place.clone().unwrap_or_else(|| passages.beginning());
        cuts.entry(place.start).or_default().push(Cut { id, ends: false });
        cuts.entry(place.end).or_default().push(Cut { id, ends: true });
    }
    let mut changed =
        vec![(document.as_str(), marked(&xml, &cuts)?), (COMMENTS, written(known.as_deref(), comments, first, at)?)];
    if known.is_none() {
        let kind = [("PartName", "/word/comments.xml"), ("ContentType", KIND)];
        let types = types.unwrap_or_else(|| format!("<Types xmlns=\"{CONTENT}\"></Types>"));
        changed.push((TYPES, with_entry(&types, "Override", &kind)?));
        let relations = relations.unwrap_or_else(|| format!("<Relationships xmlns=\"{PACKAGE}\"></Relationships>"));
        let kind = format!("{OFFICE}/comments");
        let entry = [("Id", "copydeskComments"), ("Type", kind.as_str()), ("Target", "comments.xml")];
        changed.push((&related, with_entry(&relations, "Relationship", &entry)?));
    }
    let bytes = packed(&mut archive, &changed)?;
    Ok(Commented { bytes, without_place: places.iter().filter(|place| place.is_none()).count() })
}

/// The archive with some parts changed.
fn packed(archive: &mut ZipArchive<Cursor<&[u8]>>, changed: &[(&str, Vec<u8>)]) -> Result<Vec<u8>, Unreadable> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for index in 0..archive.len() {
        let file = archive.by_index_raw(index).map_err(|error| broken(&error))?;
        let own = file.name().map_err(|error| broken(&error))?.into_owned();
        if !changed.iter().any(|(name, _)| **name == own) {
            zip.raw_copy_file(file).map_err(|error| broken(&error))?;
        }
    }
    for (name, bytes) in changed {
        zip.start_file(*name, SimpleFileOptions::default()).map_err(|error| broken(&error))?;
        zip.write_all(bytes).map_err(|error| broken(&error))?;
    }
    Ok(zip.finish().map_err(|error| broken(&error))?.into_inner())
}

/// The beginning or the end of a comment.
struct Cut {
    id: u64,
    ends: bool,
}

/// The document with the places of comments.
fn marked(xml: &str, cuts: &BTreeMap<(usize, usize), Vec<Cut>>) -> Result<Vec<u8>, Unreadable> {
    let mut out = Marking {
        xml: Writer::new(Vec::new()),
        prefix: None,
        passages: TextCount::default(),
        properties: Vec::new(),
        in_properties: 0,
        text: None,
    };
    each_event(xml, |event| out.take(event, cuts))?;
    Ok(out.xml.into_inner())
}

/// A document that is being written.
struct Marking {
    xml: Writer<Vec<u8>>,
    prefix: Option<String>,
    passages: TextCount,
    /// The properties of the run that is open, as they were written.
    properties: Vec<Event<'static>>,
    /// How many elements of the properties are open: those before a change are within them.
    in_properties: usize,
    /// The text element that is open, and what stands in it.
    text: Option<(BytesStart<'static>, String)>,
}

impl Marking {
    fn write(&mut self, event: Event<'_>) -> Result<(), Unreadable> {
        self.xml.write_event(event).map_err(|error| broken(&error))
    }

    fn take(&mut self, event: Event<'_>, cuts: &BTreeMap<(usize, usize), Vec<Cut>>) -> Result<(), Unreadable> {
        let text = self.passages.step(&event);
        match &event {
            Event::Start(tag) => {
                self.prefix.get_or_insert_with(|| prefix(tag.name().as_ref()));
                match tag.local_name().as_ref() {
                    "r" if self.text.is_none() => self.properties.clear(),
                    "rPr" if self.in_properties == 0 => {
                        self.properties.clear();
                        self.in_properties = 1;
                    }
                    _ if self.in_properties > 0 => self.in_properties += 1,
                    "t" if text.is_some() => {
                        self.text = Some((tag.to_owned().into_owned(), String::new()));
                        return Ok(());
                    }
                    _ => {}
                }
            }
            Event::End(_) if text.is_some() => {
                if let Some((tag, words)) = self.text.take() {
                    return self.words(&tag, &words, text.unwrap_or_default(), cuts);
                }
            }
            _ => {}
        }
        if let Some((_, words)) = &mut self.text {
            if let Some(said) = said(&event) {
                words.push_str(&said);
            }
            return Ok(());
        }
        if self.in_properties > 0 {
            self.properties.push(event.clone().into_owned());
            self.in_properties -= usize::from(matches!(event, Event::End(_)));
        }
        self.write(event)
    }

    /// Words of the text element of this number, cut where comments begin and end.
    fn words(
        &mut self,
        tag: &BytesStart<'_>,
        words: &str,
        number: usize,
        cuts: &BTreeMap<(usize, usize), Vec<Cut>>,
    ) -> Result<(), Unreadable> {
        let mut from = 0;
        for ((_, at), here) in cuts.range((number, 0)..=(number, words.len())) {
            self.piece(tag, words.get(from..*at).unwrap_or_default())?;
            from = *at;
            let own = self.prefix.clone().unwrap_or_default();
            let run = format!("{own}r");
            self.write(Event::End(BytesEnd::new(run.as_str())))?;
            // One that ends here ends before the next begins.
            for cut in here.iter().filter(|cut| cut.ends).chain(here.iter().filter(|cut| !cut.ends)) {
                self.cut(&own, cut)?;
            }
            self.write(Event::Start(BytesStart::new(run.as_str())))?;
            for event in self.properties.clone() {
                self.write(event)?;
            }
        }
        self.piece(tag, words.get(from..).unwrap_or_default())
    }

    fn piece(&mut self, tag: &BytesStart<'_>, words: &str) -> Result<(), Unreadable> {
        if words.is_empty() {
            return Ok(());
        }
        let name = tag.name().as_ref().to_owned();
        let mut tag = BytesStart::new(name.as_str());
        // The spaces at the ends of a piece count.
        tag.push_attribute(("xml:space", "preserve"));
        self.write(Event::Start(tag))?;
        self.write(Event::Text(BytesText::new(words)))?;
        self.write(Event::End(BytesEnd::new(name.as_str())))
    }

    fn cut(&mut self, own: &str, cut: &Cut) -> Result<(), Unreadable> {
        let id = cut.id.to_string();
        let attribute = format!("{own}id");
        let named = |name: &str| format!("{own}{name}");
        let place = named(if cut.ends { "commentRangeEnd" } else { "commentRangeStart" });
        let element = |name| BytesStart::new(name).with_attributes([(attribute.as_str(), id.as_str())]);
        self.write(Event::Empty(element(place.as_str())))?;
        if cut.ends {
            let (run, reference) = (named("r"), named("commentReference"));
            self.write(Event::Start(BytesStart::new(run.as_str())))?;
            self.write(Event::Empty(element(reference.as_str())))?;
            self.write(Event::End(BytesEnd::new(run.as_str())))?;
        }
        Ok(())
    }
}

/// One past the highest number of a comment.
fn next_id(xml: &str) -> Result<u64, Unreadable> {
    let mut next = 0;
    each_event(xml, |event| {
        if let Event::Start(tag) | Event::Empty(tag) = event
            && tag.local_name().as_ref() == "comment"
        {
            let id = attribute(&tag, "id").and_then(|id| id.parse::<u64>().ok());
            next = next.max(id.map_or(0, |id| id.saturating_add(1)));
        }
        Ok(())
    })?;
    Ok(next)
}

/// The part of the comments, those that are known first.
fn written(known: Option<&str>, comments: &[WordComment], first: u64, at: &str) -> Result<Vec<u8>, Unreadable> {
    let empty = format!("<w:comments xmlns:w=\"{WORD}\"></w:comments>");
    inserted(known.unwrap_or(&empty), |xml, own| {
        for (id, comment) in (first..).zip(comments) {
            let (id, by) = (id.to_string(), legal(&comment.by));
            let initials: String = by.split_whitespace().filter_map(|word| word.chars().next()).take(3).collect();
            let names =
                ["comment", "id", "author", "initials", "date", "p", "r", "t"].map(|name| format!("{own}{name}"));
            let [name, of_id, author, of_initials, date, paragraph, run, text] = names.each_ref().map(String::as_str);
            let attributes = [(of_id, id.as_str()), (author, &by), (of_initials, &initials), (date, at)];
            let comment_text = legal(&comment.text);
            xml.create_element(name).with_attributes(attributes).write_inner_content(|xml| {
                for line in comment_text.lines() {
                    xml.create_element(paragraph).write_inner_content(|xml| {
                        xml.create_element(run).write_inner_content(|xml| {
                            let text = xml.create_element(text).with_attribute(("xml:space", "preserve"));
                            text.write_text_content(BytesText::new(line)).map(drop)
                        })?;
                        Ok(())
                    })?;
                }
                Ok(())
            })?;
        }
        Ok(())
    })
}

/// A part with one more empty element at its end.
fn with_entry(xml: &str, name: &str, attributes: &[(&str, &str)]) -> Result<Vec<u8>, Unreadable> {
    inserted(xml, |xml, own| {
        let name = format!("{own}{name}");
        xml.create_element(name.as_str()).with_attributes(attributes.iter().copied()).write_empty().map(drop)
    })
}

/// A part with more before the end of its root; `more` is given the root's prefix.
fn inserted(
    xml: &str,
    more: impl FnOnce(&mut Writer<Vec<u8>>, &str) -> std::io::Result<()>,
) -> Result<Vec<u8>, Unreadable> {
    let mut out = Writer::new(Vec::new());
    let (mut open, mut more) = (0_usize, Some(more));
    each_event(xml, |event| {
        match &event {
            Event::Start(_) => open += 1,
            Event::End(tag) => {
                open = open.saturating_sub(1);
                if open == 0
                    && let Some(more) = more.take()
                {
                    more(&mut out, &prefix(tag.name().as_ref())).map_err(|error| broken(&error))?;
                }
            }
            // A root without anything in it.
            Event::Empty(tag) if open == 0 => {
                let name = tag.name().as_ref().to_owned();
                let start = tag.to_owned().into_owned();
                out.write_event(Event::Start(start)).map_err(|error| broken(&error))?;
                if let Some(more) = more.take() {
                    more(&mut out, &prefix(&name)).map_err(|error| broken(&error))?;
                }
                return out.write_event(Event::End(BytesEnd::new(name.as_str()))).map_err(|error| broken(&error));
            }
            _ => {}
        }
        out.write_event(event).map_err(|error| broken(&error))
    })?;
    Ok(out.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        hidden::Hidden,
        tests::made::{archive, docx},
    };

    fn comment(words: &str, before: usize) -> WordComment {
        WordComment {
            words: words.into(),
            before,
            by: "Copy desk".into(),
            text: "Not “so” <b>&\nThe source has 1.4.\u{1}".into(),
        }
    }

    fn part(bytes: &[u8], name: &str) -> String {
        let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
        unpacked(&mut archive, name).unwrap().unwrap_or_else(|| panic!("{name}"))
    }

    const BODY: &str = "<w:p><w:r><w:rPr><w:b/><w:rPrChange><w:rPr><w:i/></w:rPr></w:rPrChange></w:rPr><w:t>It has 1.8 miles &amp; </w:t></w:r><w:r><w:t>more, 1.8 miles</w:t></w:r></w:p>\
                        <w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:t>A pump</w:t></w:r></w:p>";

    #[test]
    fn comments_stand_at_their_words_and_nothing_else_changes() {
        let before = docx(BODY);
        let commented = with_comments(
            &before,
            &[comment("1.8 miles", 1), comment("miles & more", 0), comment("A  pump", 0), comment("nowhere", 0)],
            "2026-11-25T10:00:00Z",
        )
        .unwrap();
        assert_eq!(commented.without_place, 1);
        let read = |bytes: &[u8]| super::super::read(bytes, &mut Vec::new(), &mut Hidden::default()).unwrap();
        assert_eq!(read(&commented.bytes), read(&before), "the text is the same");
        let document = part(&commented.bytes, "word/document.xml");
        let bold = "<w:rPr><w:b/><w:rPrChange><w:rPr><w:i/></w:rPr></w:rPrChange></w:rPr>";
        for stands in [
            ", </w:t></w:r><w:commentRangeStart w:id=\"0\"/><w:r><w:t xml:space=\"preserve\">1.8 miles</w:t></w:r><w:commentRangeEnd w:id=\"0\"/>",
            &format!("<w:commentRangeStart w:id=\"1\"/><w:r>{bold}<w:t xml:space=\"preserve\">miles &amp;</w:t></w:r>"),
            "more</w:t></w:r><w:commentRangeEnd w:id=\"1\"/><w:r><w:commentReference w:id=\"1\"/></w:r>",
            "<w:commentRangeStart w:id=\"2\"/><w:r><w:t xml:space=\"preserve\">A pump</w:t></w:r><w:commentRangeEnd w:id=\"2\"/>",
            "<w:delText>gone</w:delText>",
        ] {
            assert!(document.contains(stands), "{stands}\n{document}");
        }
        let comments = part(&commented.bytes, "word/comments.xml");
        assert_eq!(
            comments.matches("w:author=\"Copy desk\" w:initials=\"Cd\" w:date=\"2026-11-25T10:00:00Z\"").count(),
            4
        );
        assert!(comments.contains("Not “so” &lt;b&gt;&amp;") && !comments.contains('\u{1}'), "{comments}");
        assert!(part(&commented.bytes, TYPES).contains("/word/comments.xml"));
        assert!(part(&commented.bytes, "word/_rels/document.xml.rels").contains("Target=\"comments.xml\""));
        // A second round keeps the first one's comments.
        let again = with_comments(&commented.bytes, &[comment("pump", 0)], "2026-11-26T10:00:00Z").unwrap();
        let comments = part(&again.bytes, "word/comments.xml");
        assert!(comments.contains("w:id=\"4\"") && comments.contains("w:id=\"0\""), "{comments}");
        assert_eq!(part(&again.bytes, TYPES).matches("/word/comments.xml").count(), 1);
    }

    #[test]
    fn what_is_no_word_document_is_refused_and_one_without_words_takes_comments_nowhere() {
        assert!(with_comments(b"%PDF", &[], "").is_err());
        let other = archive(&[("xl/workbook.xml", b"<workbook/>")]);
        assert!(matches!(with_comments(&other, &[], ""), Err(Unreadable::OtherFormat { .. })));
        let empty = with_comments(&docx("<w:p/>"), &[comment("x", 0)], "").unwrap();
        assert_eq!(empty.without_place, 1);
        let formula = docx("<w:p><m:r><m:t>x = 1</m:t></m:r><w:r><w:t>It is 1.</w:t></w:r></w:p>");
        let commented = with_comments(&formula, &[comment("x = 1", 0), comment("is 1", 0)], "").unwrap();
        assert_eq!(commented.without_place, 1, "a formula's words are none of Word's");
        assert!(part(&commented.bytes, "word/document.xml").contains("<m:r><m:t>x = 1</m:t></m:r>"));
        let broken = docx("<w:p><w:r><w:t>It</w:r></w:p>");
        assert!(with_comments(&broken, &[], "").is_err());
    }
}
