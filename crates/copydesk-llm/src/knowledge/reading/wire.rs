//! The messages on the pipe between this program and the process that reads for it.
//!
//! A frame has a head in JSON and a body of bytes, with the length of each before them. The first one says how the reader is confined. Then
//! each job has its file as the body, and each answer has its text.
//!
//! A process that reads hostile files may have become hostile. So its answers are bounded, checked and cleaned like a file.

use std::{
    io::{self, Error, ErrorKind, Read, Write},
    mem,
};

use serde::{Serialize, de::DeserializeOwned};

use super::job::Done;
use copydesk_documents::{Commented, Document, MOST_PACKED, MOST_TEXT, PageFacts, Unreadable};
use copydesk_newsroom::{HiddenText, ReturnedDocument};
use copydesk_text::sanitise;

/// Writes a frame.
pub(super) fn put(to: &mut impl Write, head: &impl Serialize, body: &[u8]) -> io::Result<()> {
    let head = serde_json::to_vec(head)?;
    let length = u32::try_from(head.len()).map_err(|_| Error::from(ErrorKind::FileTooLarge))?;
    to.write_all(&length.to_le_bytes())?;
    to.write_all(&(body.len() as u64).to_le_bytes())?;
    to.write_all(&head)?;
    to.write_all(body)?;
    to.flush()
}

/// The next frame, with at most so many bytes of a head and of a body; none if the other side has closed the pipe.
pub(super) fn take<H: DeserializeOwned>(from: &mut impl Read, most: usize) -> io::Result<Option<(H, Vec<u8>)>> {
    let mut lengths = [0; 12];
    let first = from.read(&mut lengths)?;
    if first == 0 {
        return Ok(None);
    }
    from.read_exact(lengths.get_mut(first..).unwrap_or_default())?;
    let (head, body) = lengths.split_at(4);
    let head = u32::from_le_bytes(head.try_into().map_err(Error::other)?);
    let body = u64::from_le_bytes(body.try_into().map_err(Error::other)?);
    if u64::from(head).max(body) > most as u64 {
        return Err(ErrorKind::InvalidData.into());
    }
    let whole = |from: &mut dyn Read, length: u64| -> io::Result<Vec<u8>> {
        // No memory is reserved for a length that the other side has only claimed.
        let mut bytes = Vec::new();
        from.take(length).read_to_end(&mut bytes)?;
        if bytes.len() as u64 == length { Ok(bytes) } else { Err(ErrorKind::UnexpectedEof.into()) }
    };
    let head = whole(from, head.into())?;
    let body = whole(from, body)?;
    Ok(Some((serde_json::from_slice(&head)?, body)))
}

pub(super) fn put_answer(to: &mut impl Write, mut done: Result<Done, Unreadable>) -> io::Result<()> {
    // The longest part goes as it is.
    let body = match &mut done {
        Ok(Done::Read(document)) => mem::take(&mut document.text).into_bytes(),
        Ok(Done::Commented(commented)) => mem::take(&mut commented.bytes),
        Ok(Done::Returned(_)) | Err(_) => Vec::new(),
    };
    // Callers ask whether a file is empty; of all other faults they need the words.
    put(to, &done.map_err(|error| (error != Unreadable::Empty).then(|| error.to_string())), &body)
}

/// The next answer; none if the other side has closed the pipe.
pub(super) fn take_answer(from: &mut impl Read) -> io::Result<Option<Result<Done, Unreadable>>> {
    let Some((head, body)) = take::<Result<Done, Option<String>>>(from, MOST_TEXT.max(MOST_PACKED))? else {
        return Ok(None);
    };
    let line = |text: String| sanitise::one_line(&text);
    Ok(Some(match head {
        Ok(Done::Read(document)) => {
            let text = String::from_utf8(body).map_err(Error::other)?;
            let text = sanitise::clean(&text).into_owned();
            let mut unsure = document.unsure;
            unsure.retain(|words| text.get(words.start..words.end).is_some_and(|words| !words.is_empty()));
            let facts = document.facts;
            Ok(Done::Read(Document {
                kind: document.kind,
                text,
                unsure,
                notes: document.notes.into_iter().map(line).collect(),
                hidden: document.hidden.into_iter().map(cleaned).collect(),
                facts: PageFacts {
                    title: facts.title.map(line),
                    byline: facts.byline.map(line),
                    publisher: facts.publisher.map(line),
                    published: facts.published.map(line),
                },
            }))
        }
        Ok(Done::Commented(commented)) => Ok(Done::Commented(Commented { bytes: body, ..commented })),
        Ok(Done::Returned(returned)) => Ok(Done::Returned(cleaned_return(returned))),
        Err(None) => Err(Unreadable::Empty),
        Err(Some(said)) => Err(Unreadable::Said(line(said))),
    }))
}

/// The same in one line each, no longer than our own readers make it.
fn cleaned(HiddenText { how, text }: HiddenText) -> HiddenText {
    HiddenText { how: sanitise::one_line(&how), text: sanitise::excerpt(&text, HiddenText::LONGEST) }
}

/// The same without what no text of ours has.
fn cleaned_return(mut returned: ReturnedDocument) -> ReturnedDocument {
    let clean = |text: &mut String| *text = sanitise::clean(text).into_owned();
    for paragraph in &mut returned.paragraphs {
        clean(&mut paragraph.text);
    }
    for change in &mut returned.pending {
        clean(&mut change.text);
    }
    for comment in &mut returned.comments {
        comment.by = sanitise::one_line(&comment.by);
        clean(&mut comment.text);
        clean(&mut comment.about);
    }
    returned
}

#[cfg(test)]
mod tests {
    use super::{super::job::Job, *};
    use copydesk_documents::{ReadingPurpose, WordComment};

    #[test]
    fn what_goes_in_comes_out() {
        let reading = Job::Read { name: "a.html".into(), purpose: ReadingPurpose::Research };
        let comment = WordComment { words: "met".into(), before: 0, by: "Copy desk".into(), text: "When?".into() };
        let commenting = Job::Comment { comments: vec![comment], at: "2026-11-25".into() };
        let mut pipe = Vec::new();
        for job in [&reading, &commenting, &Job::Return] {
            put(&mut pipe, job, b"PK").unwrap();
        }
        let mut from = pipe.as_slice();
        for job in [&reading, &commenting, &Job::Return] {
            assert_eq!(take::<Job>(&mut from, usize::MAX).unwrap(), Some((job.clone(), b"PK".to_vec())));
        }
        assert_eq!(take::<Job>(&mut from, usize::MAX).unwrap(), None);
        let read = || reading.work(b"<p>They met.</p>").unwrap();
        let commented = || Done::Commented(Commented { bytes: b"PK".to_vec(), without_place: 1 });
        let said = |text: &str| {
            Done::Returned(ReturnedDocument {
                pending: vec![copydesk_newsroom::PendingChange { inserted: true, text: text.into() }],
                ..ReturnedDocument::default()
            })
        };
        let mut pipe = Vec::new();
        for answer in
            [Ok(read()), Ok(commented()), Ok(said("a\u{1b}[2Jb")), Err(Unreadable::Empty), Err(Unreadable::Encrypted)]
        {
            put_answer(&mut pipe, answer).unwrap();
        }
        let mut from = pipe.as_slice();
        let told = Unreadable::Said(Unreadable::Encrypted.to_string());
        for answer in [Ok(read()), Ok(commented()), Ok(said("ab")), Err(Unreadable::Empty), Err(told)] {
            assert_eq!(take_answer(&mut from).unwrap(), Some(answer));
        }
        assert_eq!(take_answer(&mut from).unwrap(), None);
    }

    #[test]
    fn a_reader_that_lies_is_not_believed() {
        let answer = |head: &str, lengths: (u32, u64), body: &[u8]| {
            let mut pipe = lengths.0.to_le_bytes().to_vec();
            pipe.extend(lengths.1.to_le_bytes());
            pipe.extend(head.as_bytes());
            pipe.extend(body);
            take_answer(&mut pipe.as_slice())
        };
        let head = r#"{"Ok":{"Read":{"kind":"Text","text":"","notes":["a\u001b[2J"],"hidden":[{"how":"b\u001b[2J","text":"c\u001b[2J"}],"unsure":[],"facts":{"title":null,"byline":null,"publisher":null,"published":null}}}}"#;
        let length = u32::try_from(head.len()).unwrap();
        let Done::Read(read) = answer(head, (length, 6), b"x\x1b[2Jy").unwrap().unwrap().unwrap() else {
            panic!("a text")
        };
        assert_eq!((read.text.as_str(), read.notes.as_slice()), ("xy", ["a".to_owned()].as_slice()));
        assert_eq!(read.hidden, [HiddenText { how: "b".into(), text: "c".into() }]);
        for (lengths, body) in [
            ((length, u64::MAX), b"x".as_slice()),
            ((u32::MAX, 1), b"x"),
            ((length, 9), b"x"),
            ((length, 2), b"\xFF\xFE"),
            ((3, 1), b"x"),
        ] {
            assert!(answer(head, lengths, body).is_err(), "{lengths:?}");
        }
    }
}
