//! Bytes as text, whatever encoding they are in.
//!
//! UTF-8 is tried first, since valid UTF-8 is hardly ever anything else. If it fails, only the lines that fail are read
//! in another encoding, because notes that were pasted together from several sources are mixed. A whole file read as
//! windows-1252 for one bad byte would spoil each name with an accent in the rest.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::{mended, unreadable::Unreadable};
use copydesk_text::{count, sanitise::is_binary};

/// A page may state its encoding in so many bytes from its beginning.
const HEAD: usize = 1024;

/// Of so many letters fewer than one is outside ASCII in an English text; in the languages of windows-1250 every tenth is.
const RARE: usize = 20;

/// Decodes a text.
///
/// # Errors
/// If the bytes are no text.
pub(super) fn text(bytes: &[u8], notes: &mut Vec<String>) -> Result<String, Unreadable> {
    Ok(mended::mended(decoded(bytes, None, notes)?, notes))
}

/// Decodes a web page, which may state its encoding.
///
/// # Errors
/// If the bytes are no text.
pub(super) fn page(bytes: &[u8], notes: &mut Vec<String>) -> Result<String, Unreadable> {
    Ok(mended::mended(decoded(bytes, stated(bytes), notes)?, notes))
}

fn decoded(bytes: &[u8], stated: Option<&'static Encoding>, notes: &mut Vec<String>) -> Result<String, Unreadable> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        let (text, bad) = encoding.decode_without_bom_handling(bytes.get(mark..).unwrap_or_default());
        if bad {
            notes.push(format!("some of it is not {}, and is shown as �", encoding.name()));
        }
        return Ok(text.into_owned());
    }
    if let Some(encoding) = wide(bytes) {
        notes.push(format!("it was read as {}", encoding.name()));
        return Ok(encoding.decode_without_bom_handling(bytes).0.into_owned());
    }
    if is_binary(bytes) {
        return Err(Unreadable::NotText { what: "binary data" });
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.to_owned()),
        Err(_) => Ok(by_line(bytes, stated, notes)),
    }
}

/// The encoding of UTF-16 without a mark: every other byte of text in a Latin script is zero.
fn wide(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..bytes.len().min(4096)).filter(|head| head.len() >= 8 && bytes.len().is_multiple_of(2))?;
    let zeros = |offset: usize| head.iter().skip(offset).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd, half) = (zeros(0), zeros(1), head.len() / 2);
    match (even * 10 < half, odd * 10 < half) {
        (true, false) if odd * 10 > half * 6 => Some(UTF_16LE),
        (false, true) if even * 10 > half * 6 => Some(UTF_16BE),
        _ => None,
    }
}

/// The lines that are UTF-8 as that, the others in the encoding that the page states, or that they look like.
fn by_line(bytes: &[u8], stated: Option<&'static Encoding>, notes: &mut Vec<String>) -> String {
    let lines: Vec<Result<&str, &[u8]>> =
        bytes.split_inclusive(|byte| *byte == b'\n').map(|line| std::str::from_utf8(line).map_err(|_| line)).collect();
    let bad: Vec<&[u8]> = lines.iter().filter_map(|line| line.err()).collect();
    let encoding = stated.filter(|encoding| *encoding != UTF_8).unwrap_or_else(|| guess(&bad));
    let count_of: usize = bad.iter().flat_map(|line| line.utf8_chunks()).map(|chunk| chunk.invalid().len()).sum();
    notes.push(format!(
        "{} in {} {} not UTF-8 and {} read as {}",
        count(count_of, "byte"),
        count(bad.len(), "line"),
        if count_of == 1 { "is" } else { "are" },
        if count_of == 1 { "was" } else { "were" },
        encoding.name()
    ));
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for line in lines {
        match line {
            Ok(line) => text.push_str(line),
            Err(line) => text.push_str(&encoding.decode_without_bom_handling(line).0),
        }
    }
    text
}

fn guess(lines: &[&[u8]]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    for line in lines {
        detector.feed(line, false);
    }
    detector.feed(&[], true);
    // A pound sign or two in English notes tell the detector nothing: if hardly a letter is outside ASCII, western it is.
    let bytes = || lines.iter().copied().flatten();
    let strange = bytes().filter(|byte| !byte.is_ascii()).count();
    let letters = bytes().filter(|byte| byte.is_ascii_alphabetic()).count();
    let guessed = detector.guess(None, Utf8Detection::Deny);
    if guessed.is_single_byte() && strange * RARE <= letters { WINDOWS_1252 } else { guessed }
}

/// The encoding that a page's head names in a `meta` element or its XML declaration.
fn stated(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..bytes.len().min(HEAD))?.to_ascii_lowercase();
    let head = String::from_utf8_lossy(&head);
    let (_, rest) = head.split_once("charset=").or_else(|| head.split_once("encoding="))?;
    let label: String = rest
        .trim_start_matches(['"', '\'', ' '])
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':'))
        .collect();
    // That could be read at all, so it is in no encoding of two bytes a letter.
    Encoding::for_label(label.as_bytes()).filter(|encoding| encoding.is_ascii_compatible())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> (Result<String, Unreadable>, Vec<String>) {
        let mut notes = Vec::new();
        (text(bytes, &mut notes), notes)
    }

    #[test]
    fn only_the_lines_that_are_not_utf_8_are_read_otherwise() {
        let mixed = ["Zoë paid 5 €.\n".as_bytes(), b"The caf\xE9 was \x93full\x94.\n"].concat();
        let (text, notes) = read(&mixed);
        assert_eq!(text.as_deref(), Ok("Zoë paid 5 €.\nThe café was “full”.\n"));
        assert_eq!(notes, ["3 bytes in 1 line are not UTF-8 and were read as windows-1252"]);
    }

    #[test]
    fn a_lone_pound_sign_is_western() {
        let (text, notes) = read(b"The order costs \xA34.92 million.\n");
        assert_eq!(text.as_deref(), Ok("The order costs £4.92 million.\n"));
        assert_eq!(notes, ["1 byte in 1 line is not UTF-8 and was read as windows-1252"]);
        // Czech is Czech.
        let czech = encoding_rs::WINDOWS_1250.encode("Příliš žluťoučký kůň úpěl ďábelské ódy.\n").0.into_owned();
        assert_eq!(read(&czech).0.as_deref(), Ok("Příliš žluťoučký kůň úpěl ďábelské ódy.\n"));
    }

    #[test]
    fn utf_16_is_read_with_and_without_its_mark() {
        let wide: Vec<u8> = "The council voted “yes”.".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(read(&wide).0.as_deref(), Ok("The council voted “yes”."));
        assert_eq!(read(&[b"\xFF\xFE".as_slice(), &wide].concat()), (Ok("The council voted “yes”.".into()), vec![]));
        let big: Vec<u8> = "The council voted.".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(read(&big), (Ok("The council voted.".into()), vec!["it was read as UTF-16BE".into()]));
    }

    #[test]
    fn binary_data_is_no_text() {
        let noise: Vec<u8> = (0..2000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        assert_eq!(read(&noise).0, Err(Unreadable::NotText { what: "binary data" }));
        assert_eq!(read(b"plain").0.as_deref(), Ok("plain"));
    }

    #[test]
    fn a_page_that_says_utf_16_in_single_bytes_is_in_none() {
        let mut notes = Vec::new();
        let read = page(b"<meta charset=\"utf-16\"><p>The caf\xE9 was full.", &mut notes);
        assert_eq!(read.as_deref(), Ok("<meta charset=\"utf-16\"><p>The café was full."));
    }

    #[test]
    fn a_page_says_its_encoding_itself() {
        let mut notes = Vec::new();
        let read = page(b"<meta charset=\"iso-8859-2\"><p>\xA9i\xB9ka", &mut notes);
        assert_eq!(read.as_deref(), Ok("<meta charset=\"iso-8859-2\"><p>Šiška"));
    }
}
