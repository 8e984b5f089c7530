//! Stepping through a list that has no end: after the last entry comes the first.

/// The index `by` steps from `at` among `count` entries.
pub(crate) fn step(at: usize, by: isize, count: usize) -> usize {
    let count = count.max(1);
    let by = by.rem_euclid(isize::try_from(count).unwrap_or(isize::MAX));
    at.wrapping_add_signed(by) % count
}

/// The entry `by` steps from this one.
pub(crate) fn neighbour<T: Copy + PartialEq>(all: &[T], from: T, by: isize) -> T {
    let at = all.iter().position(|known| *known == from).unwrap_or(0);
    all.get(step(at, by, all.len())).copied().unwrap_or(from)
}
