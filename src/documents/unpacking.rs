//! What a PDF unpacks to, before it is unpacked.
//!
//! Deflate packs a thousand to one, its output can be deflated again, and the PDF reader has no limit: two megabytes became two
//! thousand. So each stream is inflated here first, counted and forgotten. The file is not understood for that: whatever follows
//! the word `stream` is taken for deflated, in as many layers as it turns out to have. What is not ends at once.

use std::io::{Cursor, Read};

use flate2::read::DeflateDecoder;

/// The most that all streams but pictures unpack to. A book's are some twenty megabytes.
pub(super) const MOST_UNPACKED: usize = 512 << 20;

/// The most that the pictures do; they are not unpacked to read a text, but a stream may lie about being one.
const MOST_PICTURES: usize = 1 << 30;

/// How often a stream may be packed.
const LAYERS: usize = 8;

/// How far before its data a stream's dictionary is looked for.
const DICTIONARY: usize = 1024;

/// How much is inflated at a time.
const PIECE: usize = 64 << 10;

/// Whether the file unpacks to more than is read.
pub(super) fn is_over(bytes: &[u8]) -> bool {
    is_over_each(bytes, MOST_UNPACKED, MOST_PICTURES)
}

fn is_over_each(bytes: &[u8], most: usize, most_pictures: usize) -> bool {
    let (mut left, mut left_of_pictures) = (most, most_pictures);
    for start in starts(bytes) {
        let left = if is_picture(bytes, start) { &mut left_of_pictures } else { &mut left };
        let mut layers = 1;
        loop {
            let size = size(bytes.get(start..).unwrap_or_default(), layers, *left);
            if size > *left || layers > LAYERS {
                return true;
            }
            if size == 0 {
                break;
            }
            *left -= size;
            layers += 1;
        }
    }
    false
}

/// Where the data of each stream begins.
fn starts(bytes: &[u8]) -> impl Iterator<Item = usize> {
    const WORD: &[u8] = b"stream";
    let word = bytes.windows(WORD.len()).enumerate().filter(|(_, window)| *window == WORD);
    word.filter_map(|(place, _)| {
        let after = place + WORD.len();
        let rest = bytes.get(after..)?;
        let line =
            rest.strip_prefix(b"\r\n").or_else(|| rest.strip_prefix(b"\n")).or_else(|| rest.strip_prefix(b"\r"))?;
        let ends = bytes.get(..place)?.ends_with(b"end");
        (!ends).then(|| bytes.len() - line.len())
    })
}

/// Whether the stream's dictionary says that it is a picture.
fn is_picture(bytes: &[u8], start: usize) -> bool {
    let before = bytes.get(start.saturating_sub(DICTIONARY)..start).unwrap_or_default();
    let object = before.windows(4).rposition(|window| window == b" obj").unwrap_or_default();
    before.get(object..).unwrap_or_default().windows(6).any(|window| window == b"/Image")
}

/// What a stream of so many layers inflates to, in bytes; at most a piece more than `most`.
fn size(packed: &[u8], layers: usize, most: usize) -> usize {
    let mut unpacked: Box<dyn Read + '_> = Box::new(packed);
    for _ in 0..layers {
        unpacked = inflated(unpacked);
    }
    let mut piece = vec![0; PIECE];
    let mut size = 0;
    // What is no deflated data ends with an error, as what is damaged does.
    while let Ok(more @ 1..) = unpacked.read(&mut piece) {
        size += more;
        if size > most {
            break;
        }
    }
    size
}

/// One layer less, with or without the two bytes of zlib (RFC 1950) before it.
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

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::{Compression, write::ZlibEncoder};

    use super::*;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn object(dictionary: &str, data: &[u8]) -> Vec<u8> {
        [format!("4 0 obj\n<< {dictionary} >>\nstream\r\n").as_bytes(), data, b"\nendstream\nendobj\n"].concat()
    }

    #[test]
    fn what_is_packed_is_counted_layer_by_layer() {
        let blank = vec![b' '; 1 << 20];
        let once = object("", &packed(&blank));
        let twice = object("", &packed(&packed(&blank)));
        let bare = object("", packed(&blank).get(2..).unwrap());
        for file in [&once, &twice, &bare] {
            assert!(file.len() < 1 << 14);
            assert!(is_over_each(file, (1 << 20) - 1, 0));
            assert!(!is_over_each(file, (1 << 20) + (1 << 14), 0));
        }
        // Two that are too much together.
        assert!(is_over_each(&[once.clone(), once].concat(), 3 << 19, 0));
    }

    #[test]
    fn pictures_are_counted_apart() {
        let picture = object("/Subtype /Image", &packed(&vec![0; 1 << 20]));
        assert!(!is_over_each(&picture, 0, 1 << 20));
        assert!(is_over_each(&picture, 1 << 20, 1 << 19));
        let next = [picture, object("", &packed(&vec![b' '; 1 << 20]))].concat();
        assert!(is_over_each(&next, 1 << 19, 1 << 20));
    }

    #[test]
    fn no_stream_is_packed_without_end() {
        let mut data = vec![b' '; 64];
        for _ in 0..=LAYERS {
            data = packed(&data);
        }
        assert!(is_over(&object("", &data)));
    }

    #[test]
    fn plain_streams_are_small() {
        let text = object("", &b"BT /F1 12 Tf (The council voted.) Tj ET\n".repeat(1000));
        assert!(!is_over_each(&text, 4096, 0));
    }
}
