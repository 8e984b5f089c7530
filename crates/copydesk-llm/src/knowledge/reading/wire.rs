//! The messages on the pipe between this program and the process that reads for it. A frame is a short head in JSON and a body of bytes,
//! with the length of each before them.
//!
//! A process that reads hostile files may have become hostile. So its answers are bounded, checked and cleaned like a file.

use std::io::{Error, ErrorKind, Read, Result, Write};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use copydesk_core::ports::{CommentingJob, Confinement, ReadDocument, ReaderFault, ReadingJob};
use copydesk_documents::{
    Commented, Document, DocumentKind, MOST_PACKED, MOST_TEXT, PageFacts, ReadingPurpose, Unreadable, WordComment,
};
use copydesk_newsroom::{HiddenText, ReturnedDocument};
use copydesk_text::sanitise;

/// The most bytes of a head.
const MOST_HEAD: u32 = 4 << 20;

/// The reader's first message, which it sends once it has limited itself.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Hello {
    stands: Vec<String>,
    missing: Vec<String>,
    whole: bool,
}

/// The head of a request; the body is the file.
#[derive(Debug, Serialize, Deserialize)]
enum Asked {
    Read { name: String, purpose: ReadingPurpose },
    Comment { comments: Vec<WordComment>, at: String },
    Returned,
}

/// The work to do with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Job {
    Read(ReadingJob),
    Comment(CommentingJob),
    Returned(Vec<u8>),
}

/// The result of a [`Job`].
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Done {
    Read(ReadDocument),
    Commented(Commented),
    Returned(ReturnedDocument),
}

/// The head of an answer; the body is the text.
#[derive(Debug, Serialize, Deserialize)]
enum Answered {
    Read {
        kind: DocumentKind,
        notes: Vec<String>,
        hidden: Vec<HiddenText>,
        facts: PageFacts,
    },
    /// The body is the document.
    Commented {
        without_place: usize,
    },
    /// The body is the document in JSON.
    Returned,
    Empty,
    Unreadable(String),
    /// The reader's own process would go on reading it.
    Slow,
    Died,
}

fn put(to: &mut impl Write, head: &impl Serialize, body: &[u8]) -> Result<()> {
    let head = serde_json::to_vec(head)?;
    let length = u32::try_from(head.len()).map_err(|_| Error::from(ErrorKind::FileTooLarge))?;
    to.write_all(&length.to_le_bytes())?;
    to.write_all(&(body.len() as u64).to_le_bytes())?;
    to.write_all(&head)?;
    to.write_all(body)?;
    to.flush()
}

/// The next frame; none if the other side has closed the pipe.
fn take<H: DeserializeOwned>(from: &mut impl Read, most: usize) -> Result<Option<(H, Vec<u8>)>> {
    let mut lengths = [0; 12];
    let first = from.read(&mut lengths)?;
    if first == 0 {
        return Ok(None);
    }
    from.read_exact(lengths.get_mut(first..).unwrap_or_default())?;
    let (head, body) = lengths.split_at(4);
    let head = u32::from_le_bytes(head.try_into().map_err(Error::other)?);
    let body = u64::from_le_bytes(body.try_into().map_err(Error::other)?);
    if head > MOST_HEAD || body > most as u64 {
        return Err(ErrorKind::InvalidData.into());
    }
    let whole = |from: &mut dyn Read, length: u64| -> Result<Vec<u8>> {
        // No memory is reserved for a length that the other side has only claimed.
        let mut bytes = Vec::new();
        from.take(length).read_to_end(&mut bytes)?;
        if bytes.len() as u64 == length { Ok(bytes) } else { Err(ErrorKind::UnexpectedEof.into()) }
    };
    let head = whole(from, head.into())?;
    let body = whole(from, body)?;
    Ok(Some((serde_json::from_slice(&head)?, body)))
}

pub(super) fn put_hello(to: &mut impl Write, confinement: &Confinement) -> Result<()> {
    let Confinement { stands, missing, whole } = confinement.clone();
    put(to, &Hello { stands, missing, whole }, &[])
}

pub(super) fn take_hello(from: &mut impl Read) -> Result<Confinement> {
    let (Hello { stands, missing, whole }, _) = take(from, 0)?.ok_or(ErrorKind::UnexpectedEof)?;
    Ok(Confinement { stands, missing, whole })
}

pub(super) fn put_job(to: &mut impl Write, job: &Job) -> Result<()> {
    match job {
        Job::Read(ReadingJob { name, bytes, purpose }) => {
            put(to, &Asked::Read { name: name.clone(), purpose: *purpose }, bytes)
        }
        Job::Comment(CommentingJob { bytes, comments, at }) => {
            put(to, &Asked::Comment { comments: comments.clone(), at: at.clone() }, bytes)
        }
        Job::Returned(bytes) => put(to, &Asked::Returned, bytes),
    }
}

/// The next job; none if there will be no more.
pub(super) fn take_job(from: &mut impl Read) -> Result<Option<Job>> {
    let job = take::<Asked>(from, usize::MAX)?;
    Ok(job.map(|(asked, bytes)| match asked {
        Asked::Read { name, purpose } => Job::Read(ReadingJob { name, bytes, purpose }),
        Asked::Comment { comments, at } => Job::Comment(CommentingJob { bytes, comments, at }),
        Asked::Returned => Job::Returned(bytes),
    }))
}

pub(super) fn put_answer(to: &mut impl Write, done: &std::result::Result<Done, ReaderFault>) -> Result<()> {
    match done {
        Ok(Done::Read(ReadDocument { document: Document { kind, text, notes, hidden }, facts })) => {
            let (notes, hidden, facts) = (notes.clone(), hidden.clone(), facts.clone());
            put(to, &Answered::Read { kind: *kind, notes, hidden, facts }, text.as_bytes())
        }
        Ok(Done::Commented(Commented { bytes, without_place })) => {
            put(to, &Answered::Commented { without_place: *without_place }, bytes)
        }
        Ok(Done::Returned(returned)) => put(to, &Answered::Returned, &serde_json::to_vec(returned)?),
        Err(ReaderFault::Unreadable(Unreadable::Empty)) => put(to, &Answered::Empty, &[]),
        Err(ReaderFault::Slow) => put(to, &Answered::Slow, &[]),
        Err(ReaderFault::Died) => put(to, &Answered::Died, &[]),
        Err(error) => put(to, &Answered::Unreadable(error.to_string()), &[]),
    }
}

/// The next answer; none if the other side has closed the pipe.
pub(super) fn take_answer(from: &mut impl Read) -> Result<Option<std::result::Result<Done, ReaderFault>>> {
    let Some((head, text)) = take::<Answered>(from, MOST_TEXT.max(MOST_PACKED))? else { return Ok(None) };
    let line = |text: String| sanitise::one_line(&text);
    Ok(Some(match head {
        Answered::Read { kind, notes, hidden, facts } => {
            let text = String::from_utf8(text).map_err(Error::other)?;
            let fact = |fact: Option<String>| fact.map(line);
            Ok(Done::Read(ReadDocument {
                document: Document {
                    kind,
                    text: sanitise::clean(&text).into_owned(),
                    notes: notes.into_iter().map(line).collect(),
                    hidden: hidden.into_iter().map(cleaned).collect(),
                },
                facts: PageFacts {
                    title: fact(facts.title),
                    byline: fact(facts.byline),
                    publisher: fact(facts.publisher),
                    published: fact(facts.published),
                },
            }))
        }
        Answered::Returned => Ok(Done::Returned(cleaned_return(serde_json::from_slice(&text)?))),
        Answered::Commented { without_place } => Ok(Done::Commented(Commented { bytes: text, without_place })),
        Answered::Empty => Err(Unreadable::Empty.into()),
        Answered::Unreadable(said) => Err(Unreadable::Said(line(said)).into()),
        Answered::Slow => Err(ReaderFault::Slow),
        Answered::Died => Err(ReaderFault::Died),
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
    use super::*;

    fn reading() -> ReadingJob {
        ReadingJob { name: "a.html".into(), bytes: b"<p>They met.</p>".to_vec(), purpose: ReadingPurpose::Research }
    }

    fn commenting() -> Job {
        let comment = WordComment { words: "met".into(), before: 0, by: "Copy desk".into(), text: "When?".into() };
        Job::Comment(CommentingJob { bytes: b"PK".to_vec(), comments: vec![comment], at: "2026-11-25".into() })
    }

    #[test]
    fn what_goes_in_comes_out() {
        let mut pipe = Vec::new();
        for job in [Job::Read(reading()), commenting(), Job::Returned(vec![1])] {
            put_job(&mut pipe, &job).unwrap();
        }
        let mut from = pipe.as_slice();
        assert_eq!(take_job(&mut from).unwrap(), Some(Job::Read(reading())));
        assert_eq!(take_job(&mut from).unwrap(), Some(commenting()));
        assert_eq!(take_job(&mut from).unwrap(), Some(Job::Returned(vec![1])));
        assert_eq!(take_job(&mut from).unwrap(), None);
        let read = || Done::Read(super::super::in_process::whole(&reading()).unwrap());
        let commented = || Done::Commented(Commented { bytes: b"PK".to_vec(), without_place: 1 });
        let mut pipe = Vec::new();
        put_answer(&mut pipe, &Ok(read())).unwrap();
        put_answer(&mut pipe, &Ok(commented())).unwrap();
        let said = |text: &str| {
            Done::Returned(ReturnedDocument {
                pending: vec![copydesk_newsroom::PendingChange { inserted: true, text: text.into() }],
                ..ReturnedDocument::default()
            })
        };
        put_answer(&mut pipe, &Ok(said("a\u{1b}[2Jb"))).unwrap();
        put_answer(&mut pipe, &Err(Unreadable::Empty.into())).unwrap();
        put_answer(&mut pipe, &Err(Unreadable::Encrypted.into())).unwrap();
        let mut from = pipe.as_slice();
        assert_eq!(take_answer(&mut from).unwrap().unwrap().unwrap(), read());
        assert_eq!(take_answer(&mut from).unwrap().unwrap().unwrap(), commented());
        assert_eq!(take_answer(&mut from).unwrap().unwrap().unwrap(), said("ab"));
        let empty = take_answer(&mut from).unwrap().unwrap().unwrap_err();
        assert!(matches!(empty, ReaderFault::Unreadable(Unreadable::Empty)));
        let told = take_answer(&mut from).unwrap().unwrap().unwrap_err();
        assert_eq!(told.to_string(), Unreadable::Encrypted.to_string());
        assert!(take_answer(&mut from).unwrap().is_none());
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
        let head = r#"{"Read":{"kind":"Text","notes":["a\u001b[2J"],"hidden":[{"how":"b\u001b[2J","text":"c\u001b[2J"}],"facts":{"title":null,"byline":null,"publisher":null,"published":null}}}"#;
        let length = u32::try_from(head.len()).unwrap();
        let Done::Read(read) = answer(head, (length, 6), b"x\x1b[2Jy").unwrap().unwrap().unwrap() else {
            panic!("a text")
        };
        let read = read.document;
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
