//! Means and shares with their intervals, and tests of differences between pairs.

use serde::Serialize;
use statrs::distribution::{Binomial, ContinuousCDF as _, DiscreteCDF as _, Normal, StudentsT};

/// Up to so many pairs the ranks' distribution is counted; above it is near enough to the normal one.
const COUNTED: usize = 100;

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
        let n = float(numbers.len());
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
    pub(crate) fn new(part: usize, of: usize) -> Self {
        const Z: f64 = 1.959_964;
        if of == 0 {
            return Self { part, of, share: 0.0, low: 0.0, high: 100.0 };
        }
        let (n, share) = (float(of), float(part) / float(of));
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
    /// By the signed ranks (Wilcoxon 1945), two-sided; pairs without a difference are left out. None with fewer than two others.
    pub(crate) by_ranks: Option<f64>,
}

impl PairedTests {
    /// None if there is no pair.
    pub(crate) fn of(pairs: &[(f64, f64)]) -> Option<Self> {
        // A smaller difference comes from the rounding of sums.
        let differences: Vec<f64> =
            pairs.iter().map(|(first, second)| ((second - first) * 1e9).round() / 1e9).collect();
        let difference = MeanInterval::of(&differences)?;
        let n = float(differences.len());
        let by_t = difference.sd.filter(|sd| *sd > 0.0).and_then(|sd| {
            let t = difference.mean / (sd / n.sqrt());
            Some((2.0 * student(n - 1.0)?.sf(t.abs())).min(1.0))
        });
        Some(Self { difference, by_t, by_ranks: by_ranks(&differences) })
    }
}

/// Whether two ways succeed equally often: on so many topics only the first did, on so many only the second (`McNemar` 1947, exact,
/// two-sided). None if they never differed.
pub(crate) fn mcnemar(first_only: usize, second_only: usize) -> Option<f64> {
    let n = first_only + second_only;
    let tail = Binomial::new(0.5, n as u64).ok()?.cdf(first_only.min(second_only) as u64);
    (n > 0).then(|| (2.0 * tail).min(1.0))
}

/// A count as a number to calculate with; exact up to 2^53.
#[expect(clippy::cast_precision_loss, reason = "counts of stories and texts")]
pub(crate) fn float(count: usize) -> f64 {
    count as f64
}

fn student(freedom: f64) -> Option<StudentsT> {
    StudentsT::new(0.0, 1.0, freedom).ok()
}

fn by_ranks(differences: &[f64]) -> Option<f64> {
    let signed = SignedRanks::of(differences);
    match signed.doubled.len() {
        0 | 1 => None,
        2..=COUNTED => Some(signed.counted()),
        _ => Some(signed.near_normal()),
    }
}

/// The ranks of differences by their size, without those that are none.
struct SignedRanks {
    /// Twice the ranks: equal sizes share the middle of theirs, which is a half at times.
    doubled: Vec<usize>,
    /// Twice the sum of the positive ones.
    positive: usize,
    /// The part of the spread that is lost to equal sizes.
    ties: f64,
}

impl SignedRanks {
    fn of(differences: &[f64]) -> Self {
        let mut sizes: Vec<f64> = differences.iter().copied().filter(|difference| *difference != 0.0).collect();
        sizes.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
        let mut ranks = Self { doubled: Vec::new(), positive: 0, ties: 0.0 };
        for equal in sizes.chunk_by(|a, b| a.abs().total_cmp(&b.abs()).is_eq()) {
            let shared = 2 * ranks.doubled.len() + equal.len() + 1;
            ranks.positive += shared * equal.iter().filter(|size| **size > 0.0).count();
            ranks.doubled.extend(std::iter::repeat_n(shared, equal.len()));
            let many = float(equal.len());
            ranks.ties += many.powi(3) - many;
        }
        ranks
    }

    /// By all choices of signs.
    fn counted(&self) -> f64 {
        let all: usize = self.doubled.iter().sum();
        let mut ways = vec![0.0_f64; all + 1];
        if let Some(none) = ways.first_mut() {
            *none = 1.0;
        }
        for rank in &self.doubled {
            let before = ways.clone();
            for (now, more) in ways.iter_mut().skip(*rank).zip(&before) {
                *now += more;
            }
        }
        let smaller = self.positive.min(all - self.positive);
        let tail: f64 = ways.iter().take(smaller + 1).sum();
        (2.0 * tail / 2.0_f64.powf(float(self.doubled.len()))).min(1.0)
    }

    fn near_normal(&self) -> f64 {
        let n = float(self.doubled.len());
        let middle = n * (n + 1.0) / 4.0;
        let spread = (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - self.ties / 48.0).sqrt();
        let z = (float(self.positive) / 2.0 - middle) / spread;
        (2.0 * Normal::standard().sf(z.abs())).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: Option<f64>, expected: f64) {
        assert!(found.is_some_and(|found| (found - expected).abs() < 5e-6), "{found:?} {expected}");
    }

    /// The values are R's: t.test, wilcox.test(exact = TRUE), mcnemar.exact.
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
    fn pairs_are_tested_by_their_size_and_by_their_ranks() {
        // Cushny and Peebles, 1905: the sleep that R has as `sleep`.
        let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
        let pairs: Vec<(f64, f64)> = first.into_iter().zip(second).collect();
        let tests = PairedTests::of(&pairs).unwrap();
        near(Some(tests.difference.mean), 1.58);
        near(tests.by_t, 0.002_832_890);
        // One pair has no difference; of the nine others every one is positive: 2 of 2^9.
        near(tests.by_ranks, 2.0 / 512.0);
        let same = PairedTests::of(&[(1.0, 2.0), (2.0, 3.0)]).unwrap();
        assert_eq!((same.by_t, same.by_ranks), (None, Some(0.5)));
        // Their sum is rounded: without care t is 1e16.
        let tenths = PairedTests::of(&[(0.0, 0.1), (0.5, 0.6), (0.2, 0.3)]).unwrap();
        assert_eq!((tenths.difference.mean, tenths.difference.sd, tenths.by_t), (0.1, Some(0.0), None));
        let nothing = PairedTests::of(&[(1.0, 1.0), (2.0, 2.0)]).unwrap();
        assert_eq!((nothing.by_t, nothing.by_ranks), (None, None));
        assert!(PairedTests::of(&[]).is_none());
        assert_eq!(PairedTests::of(&[(1.0, 3.0)]).map(|one| (one.by_t, one.by_ranks)), Some((None, None)));
    }

    #[test]
    fn ties_share_a_rank_and_many_pairs_are_near_the_normal_distribution() {
        // Sizes 1, 1, 2, 3 with signs - + + +: the sums of the signs' choices are counted by hand.
        let tests = PairedTests::of(&[(1.0, 0.0), (0.0, 1.0), (0.0, 2.0), (0.0, 3.0)]).unwrap();
        near(tests.by_ranks, 0.375);
        let signed: Vec<f64> = (1..=100).map(|n| f64::from(if n % 5 < 2 { -n / 2 } else { n / 2 })).collect();
        let ranks = SignedRanks::of(&signed);
        let (counted, near) = (ranks.counted(), ranks.near_normal());
        assert!(ranks.ties > 0.0 && counted > 0.01 && (counted / near - 1.0).abs() < 0.02, "{counted} {near}");
        let many: Vec<(f64, f64)> = signed.iter().chain(&signed).map(|size| (0.0, *size)).collect();
        let expected = SignedRanks::of(&many.iter().map(|pair| pair.1).collect::<Vec<_>>()).near_normal();
        assert_eq!(PairedTests::of(&many).unwrap().by_ranks, Some(expected));
    }

    #[test]
    fn successes_are_compared_where_they_differ() {
        near(mcnemar(1, 9), 0.021_484_375);
        near(mcnemar(3, 3), 1.0);
        near(mcnemar(0, 1), 1.0);
        assert_eq!(mcnemar(0, 0), None);
    }
}
