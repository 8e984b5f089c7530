//! The zip and the XML that books and Word documents are made of.

use std::{
    borrow::Cow,
    io::{Cursor, Read as _},
};

use quick_xml::{
    Reader,
    escape::resolve_xml_entity,
    events::{BytesStart, Event},
};
use zip::{ZipArchive, result::ZipError};

use super::{kind::DocumentKind, unreadable::Unreadable};
use copydesk_text::sanitise;

/// The most that the parts of a document unpack to. Word's markup is some ten times its text.
pub(super) const MOST_MARKUP: usize = 128 << 20;

/// The fault of a document that is damaged.
pub(super) fn broken(kind: DocumentKind, message: &impl ToString) -> Unreadable {
    Unreadable::Broken { kind, message: sanitise::excerpt(&message.to_string(), 200) }
}

/// The bytes of a part of a zip; none if the zip has no part of that name. `used`: the bytes of the zip that were unpacked before.
pub(super) fn unpacked(
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    part: &str,
    used: usize,
    kind: DocumentKind,
) -> Result<Option<Vec<u8>>, Unreadable> {
    let file = match archive.by_name(part) {
        Ok(file) => file,
        Err(ZipError::FileNotFound) => return Ok(None),
        Err(ZipError::UnsupportedArchive(message)) if message == ZipError::PASSWORD_REQUIRED => {
            return Err(Unreadable::Encrypted);
        }
        Err(error) => return Err(broken(kind, &error)),
    };
    // The size that the archive states is not to be trusted.
    let (mut bytes, left) = (Vec::new(), MOST_MARKUP.saturating_sub(used));
    file.take(left as u64 + 1).read_to_end(&mut bytes).map_err(|error| broken(kind, &error))?;
    if bytes.len() > left { Err(Unreadable::TooMuch { what: "markup", most: MOST_MARKUP }) } else { Ok(Some(bytes)) }
}

/// Hands the events of a text in XML to `take`, one after the other.
///
/// # Errors
/// [`Unreadable`] if it is no XML, or as `take` says.
pub(super) fn each_event<'x>(
    xml: &'x str,
    kind: DocumentKind,
    mut take: impl FnMut(Event<'x>) -> Result<(), Unreadable>,
) -> Result<(), Unreadable> {
    let mut reader = Reader::from_str(xml);
    loop {
        match reader.read_event().map_err(|error| broken(kind, &error))? {
            Event::Eof => return Ok(()),
            event => take(event)?,
        }
    }
}

/// The value of an attribute, whatever its prefix.
pub(super) fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = tag.attributes().flatten().find(|attribute| attribute.key.local_name().as_ref() == name)?;
    Some(attribute.value.replace("&amp;", "&"))
}

/// The text of an event. A reference that only the document itself could define says nothing.
pub(super) fn said<'e>(event: &'e Event<'_>) -> Option<Cow<'e, str>> {
    match event {
        Event::Text(text) => Some(text.xml10_content()),
        Event::CData(text) => Some(text.xml10_content()),
        Event::GeneralRef(reference) => match resolve_xml_entity(reference.as_ref()) {
            Some(letter) => Some(letter.into()),
            None => Some(reference.resolve_char_ref().ok().flatten()?.to_string().into()),
        },
        _ => None,
    }
}
