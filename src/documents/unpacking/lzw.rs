//! LZW as a PDF packs with it (ISO 32000-1, 7.4.4): codes of 9 to 12 bits, each of which stands for a row of bytes that was met before.

use super::packing::{Next, Step};

/// The code that empties the table.
const CLEAR: usize = 256;

/// The code that ends the data.
const END: usize = 257;

/// The most codes that a table holds.
const MOST_CODES: usize = 4096;

/// What a code behind the first 258 stands for: what another stands for, and one byte more.
struct Row {
    before: usize,
    first: u8,
    last: u8,
}

/// The codes that were read so far.
pub(super) struct Lzw {
    rows: Vec<Row>,
    /// Whether codes grow by a bit one code before they have to.
    early: bool,
    previous: Option<usize>,
    bits: u32,
    held: u32,
}

impl Lzw {
    pub(super) fn new(early: bool) -> Self {
        Self { rows: Vec::new(), early, previous: None, bits: 0, held: 0 }
    }

    /// The code that the next row gets.
    fn size(&self) -> usize {
        END + 1 + self.rows.len()
    }

    fn code(&mut self, next: Next<'_>) -> Option<usize> {
        let width = match self.size() + usize::from(self.early) {
            ..512 => 9,
            512..1024 => 10,
            1024..2048 => 11,
            _ => 12,
        };
        while self.held < width {
            self.bits = self.bits << 8 | u32::from(next()?);
            self.held += 8;
        }
        self.held -= width;
        usize::try_from(self.bits >> self.held & ((1 << width) - 1)).ok()
    }

    fn row(&self, code: usize) -> Option<&Row> {
        self.rows.get(code.checked_sub(END + 1)?)
    }

    fn first(&self, code: usize) -> Option<u8> {
        self.row(code).map(|row| row.first).or_else(|| u8::try_from(code).ok())
    }

    fn add(&mut self, before: usize, last: u8) -> Option<()> {
        let first = self.first(before)?;
        (self.size() < MOST_CODES).then(|| self.rows.push(Row { before, first, last }))
    }
}

impl Step for Lzw {
    fn step(&mut self, next: Next<'_>, out: &mut Vec<u8>) -> Option<()> {
        let code = self.code(next)?;
        match code {
            CLEAR => {
                self.rows.clear();
                self.previous = None;
                return Some(());
            }
            END => return None,
            _ => {}
        }
        if let Some(previous) = self.previous {
            if code < self.size() {
                // A full table gets no more.
                let _full = self.add(previous, self.first(code)?);
            } else if code == self.size() {
                self.add(previous, self.first(previous)?)?;
            }
        }
        let start = out.len();
        let mut at = code;
        while let Some(row) = self.row(at) {
            out.push(row.last);
            at = row.before;
        }
        out.push(u8::try_from(at).ok()?);
        out.get_mut(start..)?.reverse();
        self.previous = Some(code);
        Some(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::fmt::Write as _;

    use super::*;
    use crate::documents::unpacking::{packing::Packing, tests::unpacked};

    /// Codes as they are packed; `early` as in [`Lzw`].
    pub fn packed(codes: &[usize], early: bool) -> Vec<u8> {
        let (mut bits, mut size) = (String::new(), END + 1);
        let mut begun = false;
        for &code in codes {
            let width = (9..12).find(|width| size + usize::from(early) < 1 << width).unwrap_or(12);
            write!(bits, "{code:0width$b}").unwrap();
            size = if code == CLEAR { END + 1 } else { (size + usize::from(begun)).min(MOST_CODES) };
            begun = code != CLEAR;
        }
        bits.as_bytes()
            .chunks(8)
            .map(|byte| u8::from_str_radix(&format!("{:0<8}", str::from_utf8(byte).unwrap()), 2).unwrap())
            .collect()
    }

    /// The codes of as many bytes of one kind as fit into a table: each code is a byte longer than the one before.
    pub fn longest(byte: u8) -> Vec<usize> {
        [CLEAR, usize::from(byte)].into_iter().chain(END + 1..MOST_CODES).chain([END]).collect()
    }

    #[test]
    fn the_standards_own_example_is_read() {
        let packed = packed(&[256, 45, 258, 258, 65, 259, 66, 257], true);
        assert_eq!(packed, [0x80, 0x0B, 0x60, 0x50, 0x22, 0x0C, 0x0C, 0x85, 0x01]);
        assert_eq!(unpacked(&packed, &[Packing::Lzw { early: true }]), [45, 45, 45, 45, 45, 65, 45, 45, 45, 66]);
    }

    #[test]
    fn codes_grow_until_the_table_is_full() {
        let rows = MOST_CODES - END;
        for early in [true, false] {
            let mut codes = longest(b'a');
            // What a full table still says, and what it says once it has been emptied.
            codes.splice(codes.len() - 1.., [258, 98, CLEAR, 97, 258, END]);
            let unpacked = unpacked(&packed(&codes, early), &[Packing::Lzw { early }]);
            assert_eq!(unpacked.len(), rows * (rows + 1) / 2 + 6);
            assert!(unpacked.ends_with(b"aaaabaaa"));
        }
    }

    #[test]
    fn what_is_no_lzw_ends() {
        for codes in [&[300][..], &[97, 300], &[256, 97, 259]] {
            let packed = packed(codes, true);
            assert!(unpacked(&packed, &[Packing::Lzw { early: true }]).len() < 2, "{codes:?}");
        }
    }
}
