//! Runs two halves of the work on large sources at once.

/// A second thread is worth its cost from so many bytes of sources.
const LARGE: usize = 1 << 14;

/// Runs both: at once if the sources have many bytes, else one after the other.
pub fn halves<A: Send, B: Send>(
    size: usize,
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    if size < LARGE { (one(), other()) } else { rayon::join(one, other) }
}
