//! Files that unpack to more than they seem to.

use std::io::Write as _;

use flate2::{Compression, write::ZlibEncoder};

use super::*;
use crate::Unreadable;

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns the bytes without these layers of packing.
pub(super) fn unpacked(packed: &[u8], layers: &[Packing]) -> Vec<u8> {
    let mut unpacked: Box<dyn Read + '_> = Box::new(packed);
    for layer in layers {
        unpacked = layer.taken_off(unpacked);
    }
    let mut out = Vec::new();
    unpacked.read_to_end(&mut out).unwrap();
    out
}

fn is_over_each(bytes: &[u8], text: usize, pictures: usize) -> bool {
    Room { text, pictures }.is_over(bytes)
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

/// Each way of packing but deflate: its name, data packed so, and what that unpacks to.
fn otherwise() -> [(&'static str, Vec<u8>, usize); 5] {
    let rows = lzw::tests::longest(b' ');
    let letters = rows.len() - 2;
    let lzw = letters * (letters + 1) / 2;
    [
        ("LZWDecode", lzw::tests::packed(&rows, true), lzw),
        // Its codes grow late.
        ("LZW", lzw::tests::packed(&rows, false), lzw),
        // A blank, so that it is not deflated data by chance.
        ("ASCII85Decode", [b" ".as_slice(), &b"z".repeat(1 << 18), b"~>"].concat(), 1 << 20),
        ("ASCIIHexDecode", [b" ".as_slice(), &b"20".repeat(1 << 18), b">"].concat(), 1 << 18),
        // Nothing says where it ends.
        ("RunLengthDecode", [129, b' '].repeat(1 << 13), 1 << 20),
    ]
}

#[test]
fn what_is_packed_otherwise_is_counted_as_its_dictionary_says() {
    for (name, data, size) in otherwise() {
        let rest = object("", &[0; 4096]);
        for filter in [format!("/Filter /{name}"), format!("/Filter[/{name}] /Length 9")] {
            let file = [object(&filter, &data), rest.clone()].concat();
            assert!(is_over_each(&file, size - 1, size), "{name}");
            assert!(!is_over_each(&file, size, 0), "{name}");
        }
        let unnamed = object("/Filter /DCTDecode", &data);
        assert!(!is_over_each(&unnamed, 4096, 0), "{name}");
        let picture = object(&format!("/Subtype /Image /Filter /{name}"), &data);
        assert!(!is_over_each(&picture, 4096, size) && is_over_each(&picture, size, size - 1), "{name}");
    }
}

#[test]
fn every_layer_counts_whatever_the_last_one_holds() {
    let digits = hex::encode(packed(&vec![b' '; 1 << 20]));
    let layered = object("/Filter [/AHx /FlateDecode]", digits.as_bytes());
    assert!(layered.len() < 1 << 15 && is_over_each(&layered, 1 << 20, 0));
    assert!(!is_over_each(&layered, (1 << 20) + (1 << 15), 0));
    // The last finds no digit in what the first made.
    let nothing = object("/Filter [/RL /AHx]", &[129, b'x'].repeat(1 << 13));
    assert!(is_over_each(&nothing, (1 << 20) - 1, 0) && !is_over_each(&nothing, 1 << 20, 0));
    // If one is not ended, the next one's data is not its own.
    let unended = b"1 0 obj << /Filter /RL >>\nstream\n".repeat(1 << 10);
    assert!(!is_over_each(&[unended, object("", &[129; 4096])].concat(), 1 << 15, 0));
    let endless = object(&format!("/Filter [{}]", "/RL ".repeat(LAYERS + 1)), &[0; 1024]);
    assert!(is_over(&endless));
}

/// A PDF whose page draws this stream, its filter named in an object of its own: only the reader knows it.
fn page(filter: &str, data: &[u8], lock: &str) -> Vec<u8> {
    let before = format!(
        "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n\
         3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>\nendobj\n5 0 obj\n{filter}\nendobj\n"
    );
    let dictionary = format!("/Filter 5 0 R /Length {}", data.len());
    let trailer = format!("trailer << /Root 1 0 R {lock} >>\n%%EOF\n");
    [before.as_bytes(), &object(&dictionary, data), trailer.as_bytes()].concat()
}

#[test]
fn what_only_the_reader_knows_is_counted_once_it_has_read_it() {
    for (name, data, size) in otherwise() {
        let file = page(&format!("[/{name}]"), &data, "");
        assert!(!is_over_each(&file, 4096, 0), "{name}");
        let pdf = Pdf::new(file).ok().unwrap();
        assert!(Room { text: size - 1, pictures: size }.is_over_in(&pdf), "{name}");
        assert!(!Room { text: size, pictures: 0 }.is_over_in(&pdf), "{name}");
        assert!(!is_over_in(&pdf), "{name}");
    }
    // Counted before.
    let pdf = Pdf::new(page("/FlateDecode", &packed(&[b' '; 4096]), "")).ok().unwrap();
    assert!(!Room { text: 0, pictures: 0 }.is_over_in(&pdf));
}

#[test]
fn what_is_locked_without_a_password_is_counted_too() {
    // 4,096 blanks, deflated, under RC4 with the empty password's key (revision 2).
    let data = hex::decode("f7c0b501e1879ea8f63ccfbc56e2353a1e096fbb97bbba65bf4180b5").unwrap();
    let (owner, user) = ("00".repeat(32), "a2131391556101128e64737bb2f0fb1452b6beed66a7e0dbcc3276f389ab335f");
    let lock = format!("/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <{owner}> /U <{user}> >>");
    let file = page("/FlateDecode", &data, &lock);
    assert!(!is_over_each(&file, 512, 0));
    let pdf = Pdf::new(file).ok().unwrap();
    assert!(Room { text: 4095, pictures: 0 }.is_over_in(&pdf) && !Room { text: 4096, pictures: 0 }.is_over_in(&pdf));
}

#[test]
fn a_page_that_only_the_reader_sees_through_is_refused() {
    let file = page(&format!("[{}]", "/RL ".repeat(LAYERS + 1)), &[0; 1024], "");
    let read = crate::pdf::read(&file, &mut Vec::new(), &mut crate::hidden::Hidden::default());
    assert_eq!(read, Err(Unreadable::TooMuch { what: "content", most: MOST_UNPACKED }));
}
