//! Numbers of things, as a sentence has them.

use std::fmt::Display;

/// `number` of a thing, in the plural where that is right.
#[must_use]
pub fn count<N: Copy + Display + PartialEq + From<u8>>(number: N, thing: &str) -> String {
    format!("{number} {thing}{}", if number == N::from(1) { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_one() {
        assert_eq!(
            (count(0_u32, "run"), count(1_usize, "run"), count(2_u64, "run")),
            ("0 runs".into(), "1 run".into(), "2 runs".into())
        );
    }
}
