//! Measures the unpacked size of a PDF before the PDF reader unpacks it.
//!
//! Deflate packs a thousand to one, its output can be deflated again, and the PDF reader has no limit: two megabytes
//! became two thousand. So each stream is unpacked here first, counted and forgotten. That is done twice. The first
//! time goes over the bytes of the file, since the reader unpacks some streams to find the others. The second goes over
//! the streams that it found, because only the reader knows their filters and keys.
//!
//! The first time nothing is understood. Whatever follows the word `stream` is taken for deflated, in as many layers as
//! it turns out to have; other data ends at once. It is also taken for what its dictionary names in so many words.

mod lzw;
mod packing;

use std::{borrow::Cow, io::Read};

use hayro_interpret::hayro_syntax::{
    Pdf,
    object::{Name, Object, Stream},
};

use packing::{PIECE, Packing};

/// The most that all streams but pictures unpack to. A book's are some twenty megabytes.
pub(super) const MOST_UNPACKED: usize = 512 << 20;

/// The most that the pictures do; they are not unpacked to read a text, but a stream may lie about being one.
const MOST_PICTURES: usize = 1 << 30;

/// How often a stream may be packed.
const LAYERS: usize = 8;

/// How far before its data a stream's dictionary is looked for.
const DICTIONARY: usize = 1024;

/// The word before a stream's data.
const WORD: &[u8] = b"stream";

/// Whether the file unpacks to more than is read, as far as its bytes tell.
pub(super) fn is_over(bytes: &[u8]) -> bool {
    Room { text: MOST_UNPACKED, pictures: MOST_PICTURES }.is_over(bytes)
}

/// Whether its streams do, as the reader would unpack them. What [`is_over`] has counted is not counted again.
pub(super) fn is_over_in(pdf: &Pdf) -> bool {
    Room { text: MOST_UNPACKED, pictures: MOST_PICTURES }.is_over_in(pdf)
}

/// The bytes that may still be unpacked.
struct Room {
    text: usize,
    pictures: usize,
}

impl Room {
    fn is_over(&mut self, bytes: &[u8]) -> bool {
        starts(bytes).any(|start| {
            let packed = bytes.get(start..).unwrap_or_default();
            let dictionary = dictionary(bytes, start);
            let picture = dictionary.windows(6).any(|window| window == b"/Image");
            let named = named(dictionary);
            let otherwise = named.iter().any(|packing| *packing != Packing::Flate);
            self.is_over_by(packed, &[Packing::Flate; LAYERS + 1], picture)
                || otherwise && self.is_over_by(until_end(packed), &named, picture)
        })
    }

    fn is_over_in(&mut self, pdf: &Pdf) -> bool {
        pdf.objects().into_iter().any(|object| match object {
            Object::Stream(stream) => self.is_over_for(&stream),
            _ => false,
        })
    }

    fn is_over_for(&mut self, stream: &Stream<'_>) -> bool {
        let filters = stream.filters();
        let packings: Vec<Packing> = filters.iter().filter_map(|filter| Packing::of(*filter)).collect();
        let data = stream.raw_data();
        let counted = matches!(data, Cow::Borrowed(_)) && packings.iter().all(|packing| *packing == Packing::Flate);
        let picture = stream.dict().get::<Name<'_>>("Subtype").is_some_and(|kind| kind.as_str() == "Image");
        !counted && self.is_over_by(&data, &packings, picture)
    }

    /// Counts what each layer unpacks to: the reader keeps each until the next is made of it.
    fn is_over_by(&mut self, packed: &[u8], packings: &[Packing], picture: bool) -> bool {
        let left = if picture { &mut self.pictures } else { &mut self.text };
        for layers in 1..=packings.len() {
            let size = size(packed, packings.get(..layers).unwrap_or_default(), *left);
            if size > *left || layers > LAYERS {
                return true;
            }
            if size == 0 {
                break;
            }
            *left -= size;
        }
        false
    }
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

/// Returns the part of a stream's object before the stream.
fn dictionary(bytes: &[u8], start: usize) -> &[u8] {
    let before = bytes.get(start.saturating_sub(DICTIONARY)..start).unwrap_or_default();
    let object = before.windows(4).rposition(|window| window == b" obj").unwrap_or_default();
    before.get(object..).unwrap_or_default()
}

/// The ways of packing that a dictionary names, in the order in which they are taken off.
fn named(dictionary: &[u8]) -> Vec<Packing> {
    let names = dictionary.split(|byte| *byte == b'/').skip(1);
    let names = names.filter_map(|name| name.split(|byte| !byte.is_ascii_alphanumeric()).next());
    names.filter_map(Packing::by_name).collect()
}

/// The data up to the next word that ends or begins a stream: not all have an end of their own, and none is read twice.
fn until_end(data: &[u8]) -> &[u8] {
    let end = data.windows(WORD.len()).position(|window| window == WORD);
    let data = end.and_then(|end| data.get(..end)).unwrap_or(data);
    data.strip_suffix(b"end").unwrap_or(data)
}

/// The unpacked size of a stream of these layers, in bytes; at most a piece more than `most`.
fn size(packed: &[u8], layers: &[Packing], most: usize) -> usize {
    // A dictionary may say when LZW's codes grow; whoever gets it wrong soon reads no code any more.
    let early = layers.iter().copied();
    let late = early.clone().map(Packing::grown_late);
    let size = size_of(packed, early.clone(), most);
    if early.eq(late.clone()) { size } else { size.max(size_of(packed, late, most)) }
}

fn size_of(packed: &[u8], layers: impl Iterator<Item = Packing>, most: usize) -> usize {
    let mut unpacked: Box<dyn Read + '_> = Box::new(packed);
    for layer in layers {
        unpacked = layer.taken_off(unpacked);
    }
    let mut piece = vec![0; PIECE];
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

#[cfg(test)]
mod tests;
