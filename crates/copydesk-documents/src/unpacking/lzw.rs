//! LZW as a PDF packs with it (ISO 32000-1, 7.4.4), by `weezl`.

use std::io::{BufRead as _, BufReader, Read};

use weezl::{BitOrder, LzwStatus, decode::Decoder};

/// Reads LZW data and unpacks it on the way. Damaged data ends at the damage.
pub(super) struct Lzw<'p> {
    packed: BufReader<Box<dyn Read + 'p>>,
    decoder: Decoder,
    over: bool,
}

impl<'p> Lzw<'p> {
    /// `early`: whether codes grow by a bit one code before they have to.
    pub(super) fn new(packed: Box<dyn Read + 'p>, early: bool) -> Self {
        let decoder =
            if early { Decoder::with_tiff_size_switch(BitOrder::Msb, 8) } else { Decoder::new(BitOrder::Msb, 8) };
        Self { packed: BufReader::new(packed), decoder, over: false }
    }
}

impl Read for Lzw<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        while !self.over && !buffer.is_empty() {
            // A layer below that ends with an error ends this one.
            let packed = self.packed.fill_buf().unwrap_or_default();
            let ended = packed.is_empty();
            let done = self.decoder.decode_bytes(packed, buffer);
            self.packed.consume(done.consumed_in);
            let goes_on = matches!(done.status, Ok(LzwStatus::Ok | LzwStatus::NoProgress));
            self.over = !goes_on || ended && done.consumed_out == 0;
            if done.consumed_out > 0 {
                return Ok(done.consumed_out);
            }
        }
        Ok(0)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::fmt::Write as _;

    use crate::unpacking::{packing::Packing, tests::unpacked};

    /// The code that empties the table.
    const CLEAR: usize = 256;

    /// The code that ends the data.
    const END: usize = 257;

    /// The most codes that a table holds.
    const MOST_CODES: usize = 4096;

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
            // Codes of a full table, then codes after the table was cleared.
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
