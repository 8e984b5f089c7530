//! The place in the table at which a token is looked for. `build.rs`, which writes the table, shares this file.

/// Slots of the table: two of three are taken.
pub const SLOTS: usize = 300_000;

/// The first slot in which a token is looked for; if another one is there, the next is tried. FNV-1a, folded.
pub fn slot(token: &[u8]) -> usize {
    let mixed = token
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    let folded = ((mixed >> 32) ^ mixed) % SLOTS as u64;
    // Less than the slots are.
    usize::try_from(folded).unwrap_or(0)
}
