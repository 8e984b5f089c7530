//! Texts as they are stored: compressed by zstd if that makes them smaller.

use std::io::{Error, Result};

use zstd::bulk::{Compressor, Decompressor};

/// Compression level: 3 is zstd's own default, and a commit should not wait for a better one.
const LEVEL: i32 = 3;

/// The longest text that is unpacked, in bytes. A row may claim any size, and that much memory is reserved first.
pub(super) const LONGEST: usize = 256 << 20;

/// Making a compressor or a decompressor costs more than packing a page, so each is kept once it is made.
#[derive(Default)]
pub(super) struct Packer {
    compressor: Option<Compressor<'static>>,
    decompressor: Option<Decompressor<'static>>,
}

impl Packer {
    /// The compressed form, if it is smaller and can be unpacked again.
    pub(super) fn pack(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        if bytes.len() > LONGEST {
            return None;
        }
        if self.compressor.is_none() {
            self.compressor = Compressor::new(LEVEL).ok();
        }
        let packed = self.compressor.as_mut()?.compress(bytes).ok()?;
        (packed.len() < bytes.len()).then_some(packed)
    }

    /// The text of a stored body; `size` is the text's, in bytes.
    pub(super) fn unpack(&mut self, size: i64, packed: bool, body: &[u8]) -> Result<Vec<u8>> {
        if !packed {
            return Ok(body.to_owned());
        }
        let size = usize::try_from(size).ok().filter(|size| *size <= LONGEST);
        let size = size.ok_or_else(|| Error::other("its size is not possible"))?;
        if self.decompressor.is_none() {
            self.decompressor = Some(Decompressor::new()?);
        }
        let decompressor = self.decompressor.as_mut().ok_or_else(|| Error::other("zstd did not start"))?;
        decompressor.decompress(body, size)
    }
}
