//! What goes over the pipe between this program and the process that reads for it: a frame is a short head in JSON and a body of bytes,
//! with the length of each before them.
//!
//! Whoever reads hostile files may have become hostile. So what comes back is bounded, checked and cleaned like a file.

use std::io::{Error, ErrorKind, Read, Result, Write};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    documents::{Document, DocumentKind, MOST_TEXT, PageFacts, ReadingPurpose, Unreadable},
    newsroom::HiddenText,
    ports::{Confinement, ReadDocument, ReaderFault, ReadingJob},
    text::sanitise,
};

/// The most bytes of a head.
const MOST_HEAD: u32 = 4 << 20;

/// What the reader says once it has limited itself.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Hello {
    stands: Vec<String>,
    missing: Vec<String>,
    whole: bool,
}

/// The head of a request; the body is the file.
#[derive(Debug, Serialize, Deserialize)]
struct Asked {
    name: String,
    purpose: ReadingPurpose,
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
        // Nothing is set aside for a length that nobody has sent yet.
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

pub(super) fn put_job(to: &mut impl Write, job: &ReadingJob) -> Result<()> {
    put(to, &Asked { name: job.name.clone(), purpose: job.purpose }, &job.bytes)
}

/// The next job; none if there will be no more.
pub(super) fn take_job(from: &mut impl Read) -> Result<Option<ReadingJob>> {
    let job = take::<Asked>(from, usize::MAX)?;
    Ok(job.map(|(Asked { name, purpose }, bytes)| ReadingJob { name, bytes, purpose }))
}

pub(super) fn put_answer(to: &mut impl Write, read: &std::result::Result<ReadDocument, ReaderFault>) -> Result<()> {
    match read {
        Ok(ReadDocument { document: Document { kind, text, notes, hidden }, facts }) => {
            let (notes, hidden, facts) = (notes.clone(), hidden.clone(), facts.clone());
            put(to, &Answered::Read { kind: *kind, notes, hidden, facts }, text.as_bytes())
        }
        Err(ReaderFault::Unreadable(Unreadable::Empty)) => put(to, &Answered::Empty, &[]),
        Err(ReaderFault::Slow) => put(to, &Answered::Slow, &[]),
        Err(ReaderFault::Died) => put(to, &Answered::Died, &[]),
        Err(error) => put(to, &Answered::Unreadable(error.to_string()), &[]),
    }
}

/// The next answer; none if the other side has closed the pipe.
pub(super) fn take_answer(from: &mut impl Read) -> Result<Option<std::result::Result<ReadDocument, ReaderFault>>> {
    let Some((head, text)) = take::<Answered>(from, MOST_TEXT)? else { return Ok(None) };
    let line = |text: String| sanitise::one_line(&text);
    Ok(Some(match head {
        Answered::Read { kind, notes, hidden, facts } => {
            let text = String::from_utf8(text).map_err(Error::other)?;
            let fact = |fact: Option<String>| fact.map(line);
            Ok(ReadDocument {
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
            })
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> ReadingJob {
        ReadingJob { name: "a.html".into(), bytes: b"<p>They met.</p>".to_vec(), purpose: ReadingPurpose::Research }
    }

    #[test]
    fn what_goes_in_comes_out() {
        let mut pipe = Vec::new();
        put_job(&mut pipe, &job()).unwrap();
        let mut from = pipe.as_slice();
        assert_eq!(take_job(&mut from).unwrap(), Some(job()));
        assert_eq!(take_job(&mut from).unwrap(), None);
        let read = super::super::in_process::whole(&job()).unwrap();
        let mut pipe = Vec::new();
        put_answer(&mut pipe, &Ok(read.clone())).unwrap();
        put_answer(&mut pipe, &Err(Unreadable::Empty.into())).unwrap();
        put_answer(&mut pipe, &Err(Unreadable::Encrypted.into())).unwrap();
        let mut from = pipe.as_slice();
        assert_eq!(take_answer(&mut from).unwrap().unwrap().unwrap(), read);
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
        let read = answer(head, (length, 6), b"x\x1b[2Jy").unwrap().unwrap().unwrap().document;
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
