//! How long work will take that is counted.

use std::time::Duration;

/// `about 45 s to go`, if the rest takes as long as what is done; none before anything is done, or at the end.
pub fn to_go(done: u64, all: u64, elapsed: Duration) -> Option<String> {
    let left = all.checked_sub(done).filter(|left| *left > 0 && done > 0)?;
    let milliseconds = elapsed.as_millis().saturating_mul(u128::from(left)) / u128::from(done);
    let seconds = milliseconds / 1_000;
    Some(match seconds {
        0..90 => format!("about {seconds} s to go"),
        90..5_400 => format!("about {} min to go", seconds.div_ceil(60)),
        _ => format!("about {} h to go", seconds.div_ceil(3_600)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_is_reckoned_from_what_is_done() {
        let said = |done, all, seconds| to_go(done, all, Duration::from_secs(seconds));
        assert_eq!([said(0, 100, 5), said(100, 100, 60), said(7, 3, 60), said(0, 0, 1)], [None, None, None, None]);
        assert_eq!(said(10, 100, 5).as_deref(), Some("about 45 s to go"));
        assert_eq!(said(10, 100, 60).as_deref(), Some("about 9 min to go"));
        assert_eq!(said(1, 100, 3_600).as_deref(), Some("about 99 h to go"));
        assert_eq!(said(1, u64::MAX, u64::MAX).unwrap().rsplit(' ').next(), Some("go"), "no number is too large");
    }
}
