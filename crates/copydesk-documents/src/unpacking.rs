//! Measures the unpacked size of a PDF before the PDF reader unpacks it.
//!
//! Deflate packs a thousand to one, its output can be deflated again, and the PDF reader has no limit: two megabytes
//! became two thousand. So each stream is unpacked here first, counted and forgotten. Whatever follows the word `stream`
//! is taken for deflated, in as many layers as it turns out to have; other data ends at once. Streams that are packed in
//! another way are bounded by the memory and the time of the process that reads files.

use std::io::{Cursor, Read};

use flate2::read::DeflateDecoder;

/// The most that all streams but pictures unpack to. A book's are some twenty megabytes.
pub(super) const MOST_UNPACKED: usize = 512 << 20;

/// How often a stream may be packed.
const LAYERS: usize = 8;

/// How far before its data a stream's dictionary is looked for.
const DICTIONARY: usize = 1024;

/// The word before a stream's data.
const WORD: &[u8] = b"stream";

/// Whether the file unpacks to more than is read.
pub(super) fn is_over(bytes: &[u8]) -> bool {
    is_more_than(bytes, MOST_UNPACKED)
}

fn is_more_than(bytes: &[u8], most: usize) -> bool {
    let mut left = most;
    // Pictures are not unpacked to read a text.
    starts(bytes).filter(|start| !is_picture(bytes, *start)).any(|start| {
        let packed = bytes.get(start..).unwrap_or_default();
        // The reader keeps each layer until the next is made of it.
        for layers in 1..=LAYERS + 1 {
            let size = size(packed, layers, left);
            if size > left || size > 0 && layers > LAYERS {
                return true;
            }
            if size == 0 {
                break;
            }
            left -= size;
        }
        false
    })
}

/// Where the data of each stream begins.
fn starts(bytes: &[u8]) -> impl Iterator<Item = usize> {
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

/// Whether a stream's dictionary calls it a picture.
fn is_picture(bytes: &[u8], start: usize) -> bool {
    let before = bytes.get(start.saturating_sub(DICTIONARY)..start).unwrap_or_default();
    let object = before.windows(4).rposition(|window| window == b" obj").unwrap_or_default();
    before.get(object..).unwrap_or_default().windows(6).any(|window| window == b"/Image")
}

/// The unpacked size of a stream of so many layers, in bytes; at most a piece more than `most`.
fn size(packed: &[u8], layers: usize, most: usize) -> usize {
    let mut unpacked: Box<dyn Read + '_> = Box::new(packed);
    for _ in 0..layers {
        unpacked = inflated(unpacked);
    }
    let mut piece = vec![0; 64 << 10];
    let mut size = 0;
    // Data packed in another way ends with an error, and so does damaged data.
    while let Ok(more @ 1..) = unpacked.read(&mut piece) {
        size += more;
        if size > most {
            break;
        }
    }
    size
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
            assert!(is_more_than(file, (1 << 20) - 1));
            assert!(!is_more_than(file, (1 << 20) + (1 << 14)));
        }
        // Two that are too much together.
        assert!(is_more_than(&[once.clone(), once].concat(), 3 << 19));
    }

    #[test]
    fn pictures_are_not_counted() {
        let picture = object("/Subtype /Image", &packed(&vec![0; 1 << 20]));
        assert!(!is_more_than(&picture, 0));
        let next = [picture, object("", &packed(&vec![b' '; 1 << 20]))].concat();
        assert!(is_more_than(&next, 1 << 19));
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
        assert!(!is_more_than(&text, 4096));
    }
}
