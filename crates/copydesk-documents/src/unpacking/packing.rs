//! The ways in which a PDF packs a stream (ISO 32000-1, 7.4), each as a reader of what it unpacks to.
//!
//! Damaged data ends at the damage.

use std::io::{BufReader, Bytes, Cursor, Read};

use flate2::read::DeflateDecoder;
use hayro_interpret::hayro_syntax::Filter;

use super::lzw::Lzw;

/// How much is unpacked at a time.
pub(super) const PIECE: usize = 64 << 10;

/// A way of packing; a picture's are not among them, since no picture is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    Flate,
    /// Whether its codes grow early, as they do unless the stream says otherwise.
    Lzw {
        early: bool,
    },
    Ascii85,
    AsciiHex,
    RunLength,
}

impl Packing {
    /// The one of this name, whole or short.
    pub(super) fn by_name(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"FlateDecode" | b"Fl" => Self::Flate,
            b"LZWDecode" | b"LZW" => Self::Lzw { early: true },
            b"ASCII85Decode" | b"A85" => Self::Ascii85,
            b"ASCIIHexDecode" | b"AHx" => Self::AsciiHex,
            b"RunLengthDecode" | b"RL" => Self::RunLength,
            _ => return None,
        })
    }

    /// The one that the PDF reader knows by its name.
    pub(super) fn of(filter: Filter) -> Option<Self> {
        Some(match filter {
            Filter::FlateDecode => Self::Flate,
            Filter::LzwDecode => Self::Lzw { early: true },
            Filter::Ascii85Decode => Self::Ascii85,
            Filter::AsciiHexDecode => Self::AsciiHex,
            Filter::RunLengthDecode => Self::RunLength,
            _ => return None,
        })
    }

    /// The same, but that LZW's codes grow late.
    pub(super) fn grown_late(self) -> Self {
        match self {
            Self::Lzw { .. } => Self::Lzw { early: false },
            other => other,
        }
    }

    /// One layer less.
    pub(super) fn taken_off<'p>(self, packed: Box<dyn Read + 'p>) -> Box<dyn Read + 'p> {
        match self {
            Self::Flate => inflated(packed),
            Self::Lzw { early } => Box::new(Lzw::new(packed, early)),
            Self::Ascii85 => Box::new(Steps::new(packed, Ascii85::default())),
            Self::AsciiHex => Box::new(Steps::new(packed, AsciiHex)),
            Self::RunLength => Box::new(Steps::new(packed, RunLength)),
        }
    }
}

/// Inflated, with or without the two bytes of zlib (RFC 1950) before it.
fn inflated<'p>(mut packed: Box<dyn Read + 'p>) -> Box<dyn Read + 'p> {
    let mut head = Vec::new();
    let begun = packed.by_ref().take(2).read_to_end(&mut head);
    match (begun, head.as_slice()) {
        (Ok(_), &[method, flags]) if method & 0x0F == 8 && u16::from_be_bytes([method, flags]).is_multiple_of(31) => {
            Box::new(DeflateDecoder::new(packed))
        }
        _ => Box::new(DeflateDecoder::new(Cursor::new(head).chain(packed))),
    }
}

/// The next packed byte, while there is one.
pub(super) type Next<'n> = &'n mut dyn FnMut() -> Option<u8>;

/// A way of packing that is taken off a few bytes at a time.
pub(super) trait UnpackStep {
    /// Adds the unpacked form of the next bytes; returns none if the data is over or damaged.
    fn step(&mut self, next: Next<'_>, out: &mut Vec<u8>) -> Option<()>;
}

/// Reads packed data and unpacks it step by step.
struct Steps<'p, S> {
    packed: Bytes<BufReader<Box<dyn Read + 'p>>>,
    unpacking: S,
    ready: Cursor<Vec<u8>>,
    over: bool,
}

impl<'p, S: UnpackStep> Steps<'p, S> {
    fn new(packed: Box<dyn Read + 'p>, unpacking: S) -> Self {
        Self { packed: BufReader::new(packed).bytes(), unpacking, ready: Cursor::default(), over: false }
    }
}

impl<S: UnpackStep> Read for Steps<'_, S> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let given = self.ready.read(buffer)?;
        if given > 0 || self.over {
            return Ok(given);
        }
        let mut out = std::mem::take(&mut self.ready).into_inner();
        out.clear();
        // A layer below that ends with an error ends this one.
        let mut next = || self.packed.next()?.ok();
        while out.len() < PIECE && !self.over {
            self.over = self.unpacking.step(&mut next, &mut out).is_none();
        }
        self.ready = Cursor::new(out);
        self.ready.read(buffer)
    }
}

/// The next byte that is no white space, which stands anywhere between letters and digits.
fn visible(next: Next<'_>) -> Option<u8> {
    loop {
        let byte = next()?;
        if !matches!(byte, b'\0' | b'\t' | b'\n' | b'\x0C' | b'\r' | b' ') {
            return Some(byte);
        }
    }
}

/// Five letters for four bytes; one for four that are zero.
#[derive(Default)]
struct Ascii85(Vec<u8>);

impl Ascii85 {
    /// The bytes of the letters at hand: one fewer than they are.
    fn group(&mut self, out: &mut Vec<u8>) -> Option<()> {
        let count = self.0.len();
        if count == 0 {
            return Some(());
        }
        self.0.resize(5, b'u' - b'!');
        let value = self.0.drain(..).try_fold(0u32, |sum, digit| sum.checked_mul(85)?.checked_add(digit.into()))?;
        out.extend(value.to_be_bytes().into_iter().take(count - 1));
        Some(())
    }
}

impl UnpackStep for Ascii85 {
    fn step(&mut self, next: Next<'_>, out: &mut Vec<u8>) -> Option<()> {
        match visible(next) {
            Some(letter @ b'!'..=b'u') => {
                self.0.push(letter - b'!');
                if self.0.len() == 5 { self.group(out) } else { Some(()) }
            }
            Some(b'z') => {
                self.group(out)?;
                out.extend([0; 4]);
                Some(())
            }
            // `~` is the end, and so is any other character that is no letter.
            _ => {
                self.group(out)?;
                None
            }
        }
    }
}

/// Two digits for a byte.
struct AsciiHex;

impl UnpackStep for AsciiHex {
    fn step(&mut self, next: Next<'_>, out: &mut Vec<u8>) -> Option<()> {
        let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let high = visible(next).and_then(digit)?;
        let low = visible(next).and_then(digit);
        out.push(high << 4 | low.unwrap_or_default());
        low.map(|_| ())
    }
}

/// Bytes as they are, or one for many.
struct RunLength;

impl UnpackStep for RunLength {
    fn step(&mut self, next: Next<'_>, out: &mut Vec<u8>) -> Option<()> {
        match next()? {
            128 => None,
            length @ ..128 => {
                for _ in 0..=length {
                    out.push(next()?);
                }
                Some(())
            }
            length => {
                out.extend(std::iter::repeat_n(next()?, 257 - usize::from(length)));
                Some(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unpacking::tests::unpacked;

    #[test]
    fn letters_and_digits_are_bytes() {
        for (packed, plain) in [
            (&b"87cUR\nD]i,\"Ebo7~>later"[..], &b"Hello World"[..]),
            (b"87cUR D]i,\"Ebo7", b"Hello World"),
            (b"z87cURz~>", b"\0\0\0\0Hell\0\0\0\0"),
            (b"87cUR\xFF87cUR", b"Hell"),
            // More than four bytes hold.
            (b"uuuuu87cUR", b""),
            (b"", b""),
        ] {
            assert_eq!(unpacked(packed, &[Packing::Ascii85]), plain, "{packed:?}");
        }
        for (packed, plain) in [
            (&b"48 65\n6C6c6F>later"[..], &b"Hello"[..]),
            (b"486", b"H`"),
            (b"486>", b"H`"),
            (b"48x5", b"H"),
            (b"", b""),
        ] {
            assert_eq!(unpacked(packed, &[Packing::AsciiHex]), plain, "{packed:?}");
        }
    }

    #[test]
    fn runs_are_as_long_as_they_say() {
        let packed = [4, 10, 11, 12, 13, 14, 253, 3, 128, 1];
        assert_eq!(unpacked(&packed, &[Packing::RunLength]), [10, 11, 12, 13, 14, 3, 3, 3, 3]);
        assert_eq!(unpacked(&[129, 7], &[Packing::RunLength]), [7; 128]);
        assert_eq!(unpacked(&[127, 1, 2], &[Packing::RunLength]), [1, 2]);
        assert!(unpacked(&[129], &[Packing::RunLength]).is_empty());
    }

    #[test]
    fn what_is_longer_than_a_piece_is_read_whole() {
        let packed = [129, 7].repeat(3 * PIECE / 128 + 1);
        assert_eq!(unpacked(&packed, &[Packing::RunLength]).len(), 3 * PIECE + 128);
        // A layer in a layer.
        let digits = hex::encode(&packed);
        assert_eq!(unpacked(digits.as_bytes(), &[Packing::AsciiHex, Packing::RunLength]).len(), 3 * PIECE + 128);
    }

    #[test]
    fn each_has_two_names_and_the_readers() {
        for (long, short, filter) in [
            ("FlateDecode", "Fl", Filter::FlateDecode),
            ("LZWDecode", "LZW", Filter::LzwDecode),
            ("ASCII85Decode", "A85", Filter::Ascii85Decode),
            ("ASCIIHexDecode", "AHx", Filter::AsciiHexDecode),
            ("RunLengthDecode", "RL", Filter::RunLengthDecode),
        ] {
            let packing = Packing::of(filter);
            assert!(packing.is_some());
            assert_eq!([long, short].map(|name| Packing::by_name(name.as_bytes())), [packing; 2]);
        }
        assert_eq!((Packing::by_name(b"DCTDecode"), Packing::of(Filter::DctDecode)), (None, None));
    }
}
