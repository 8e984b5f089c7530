//! Means and shares with their intervals, and tests of differences between pairs.

use serde::Serialize;
use statrs::distribution::{Binomial, ContinuousCDF as _, DiscreteCDF as _, StudentsT};

/// A mean, with the interval in which the true one lies 95 times of 100 (Student's t).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct MeanInterval {
    pub(crate) mean: f64,
    /// The sample's standard deviation; none of a single number, as the interval.
    pub(crate) sd: Option<f64>,
    pub(crate) n: usize,
    pub(crate) low: Option<f64>,
    pub(crate) high: Option<f64>,
}

impl MeanInterval {
    /// None if there is no number.
    pub(crate) fn of(numbers: &[f64]) -> Option<Self> {
        let n = count(numbers.len());
        let first = numbers.first().copied()?;
        // Of equal numbers the rounding of their sum is no spread: three times 0.1 would be 1.7e-17.
        let equal = numbers.iter().all(|number| *number - first == 0.0);
        let mean = if equal { first } else { numbers.iter().sum::<f64>() / n };
        let sd = (numbers.len() > 1)
            .then(|| (numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt());
        let reach = sd.and_then(|sd| Some(student(n - 1.0)?.inverse_cdf(0.975) * sd / n.sqrt()));
        Some(Self {
            mean,
            sd,
            n: numbers.len(),
            low: reach.map(|reach| mean - reach),
            high: reach.map(|reach| mean + reach),
        })
    }
}

/// A share, with the interval in which the true one lies 95 times of 100 (Wilson, 1927).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct MeasuredShare {
    pub(crate) part: usize,
    pub(crate) of: usize,
    /// In per cent.
    pub(crate) share: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl MeasuredShare {
    #[expect(clippy::cast_precision_loss, reason = "counts of texts")]
    pub(crate) fn new(part: usize, of: usize) -> Self {
        const Z: f64 = 1.959_964;
        if of == 0 {
            return Self { part, of, share: 0.0, low: 0.0, high: 100.0 };
        }
        let (n, share) = (of as f64, part as f64 / of as f64);
        let middle = (share + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
        let reach = Z / (1.0 + Z * Z / n) * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        Self {
            part,
            of,
            share: 100.0 * share,
            low: 100.0 * (middle - reach).max(0.0),
            high: 100.0 * (middle + reach).min(1.0),
        }
    }
}

/// How two ways differ on the same topics.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct PairedTests {
    /// The second less the first.
    pub(crate) difference: MeanInterval,
    /// By the paired t-test, two-sided. None with fewer than two pairs, or if all differ by the same.
    pub(crate) by_t: Option<f64>,
}

impl PairedTests {
    /// None if there is no pair.
    pub(crate) fn of(pairs: &[(f64, f64)]) -> Option<Self> {
        // A smaller difference comes from the rounding of sums.
        let differences: Vec<f64> =
            pairs.iter().map(|(first, second)| ((second - first) * 1e9).round() / 1e9).collect();
        let difference = MeanInterval::of(&differences)?;
        let n = count(differences.len());
        let by_t = difference.sd.filter(|sd| *sd > 0.0).and_then(|sd| {
            let t = difference.mean / (sd / n.sqrt());
            Some((2.0 * student(n - 1.0)?.sf(t.abs())).min(1.0))
        });
        Some(Self { difference, by_t })
    }
}

/// Whether two ways succeed equally often: on so many topics only the first did, on so many only the second (`McNemar` 1947, exact,
/// two-sided). None if they never differed.
pub(crate) fn mcnemar(first_only: usize, second_only: usize) -> Option<f64> {
    let n = first_only + second_only;
    let tail = Binomial::new(0.5, n as u64).ok()?.cdf(first_only.min(second_only) as u64);
    (n > 0).then(|| (2.0 * tail).min(1.0))
}

#[expect(clippy::cast_precision_loss, reason = "counts of stories")]
fn count(number: usize) -> f64 {
    number as f64
}

fn student(freedom: f64) -> Option<StudentsT> {
    StudentsT::new(0.0, 1.0, freedom).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: Option<f64>, expected: f64) {
        assert!(found.is_some_and(|found| (found - expected).abs() < 5e-6), "{found:?} {expected}");
    }

    /// The values are R's: t.test, mcnemar.exact.
    #[test]
    fn a_mean_has_its_interval() {
        let MeanInterval { mean, sd, n, low, high } =
            MeanInterval::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert_eq!((mean, n), (5.0, 8));
        near(sd, 2.138_090);
        near(low, 3.212_512);
        near(high, 6.787_488);
        assert_eq!(MeanInterval::of(&[]), None);
        let one = MeanInterval::of(&[3.0]).unwrap();
        assert_eq!((one.mean, one.sd, one.low), (3.0, None, None));
    }

    #[test]
    fn a_share_has_its_interval() {
        let MeasuredShare { share, low, high, .. } = MeasuredShare::new(9, 12);
        assert_eq!([share, low, high].map(|value| format!("{value:.4}")), ["75.0000", "46.7695", "91.1058"]);
        assert_eq!((MeasuredShare::new(0, 0).low, MeasuredShare::new(0, 0).high), (0.0, 100.0));
    }

    #[test]
    fn pairs_are_tested_by_their_size() {
        // Cushny and Peebles, 1905: the sleep that R has as `sleep`.
        let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
        let pairs: Vec<(f64, f64)> = first.into_iter().zip(second).collect();
        let tests = PairedTests::of(&pairs).unwrap();
        near(Some(tests.difference.mean), 1.58);
        near(tests.by_t, 0.002_832_890);
        let same = PairedTests::of(&[(1.0, 2.0), (2.0, 3.0)]).unwrap();
        assert_eq!(same.by_t, None);
        // Their sum is rounded: without care t is 1e16.
        let tenths = PairedTests::of(&[(0.0, 0.1), (0.5, 0.6), (0.2, 0.3)]).unwrap();
        assert_eq!((tenths.difference.mean, tenths.difference.sd, tenths.by_t), (0.1, Some(0.0), None));
        let nothing = PairedTests::of(&[(1.0, 1.0), (2.0, 2.0)]).unwrap();
        assert_eq!(nothing.by_t, None);
        assert!(PairedTests::of(&[]).is_none());
        assert_eq!(PairedTests::of(&[(1.0, 3.0)]).map(|one| one.by_t), Some(None));
    }

    #[test]
    fn successes_are_compared_where_they_differ() {
        near(mcnemar(1, 9), 0.021_484_375);
        near(mcnemar(3, 3), 1.0);
        near(mcnemar(0, 1), 1.0);
        assert_eq!(mcnemar(0, 0), None);
    }
}
