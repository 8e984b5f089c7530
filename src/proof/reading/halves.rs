//! Two halves of the work on large sources, each on a core of its own.

/// From so many bytes of sources on it is worth to wake another core.
const LARGE: usize = 1 << 14;

/// Both, the one beside the other where the sources have `size` bytes and that is much.
pub fn halves<A: Send, B: Send>(
    size: usize,
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    if size < LARGE { (one(), other()) } else { rayon::join(one, other) }
}
