//! How numbers are spread: from this come means, percentiles and histograms, and it takes little room however many there are.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::amount;

/// Numbers by size. One of more than three digits is kept rounded up to three, so a percentile is never too low, and at most 1 % too high.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spread {
    sizes: BTreeMap<u64, u64>,
    count: u64,
    sum: u64,
}

impl Spread {
    pub fn add(&mut self, number: u64) {
        *self.sizes.entry(rounded(number)).or_default() += 1;
        self.count += 1;
        self.sum = self.sum.saturating_add(number);
    }

    /// Adds a number if it is known.
    pub fn add_known(&mut self, number: Option<u64>) {
        if let Some(number) = number {
            self.add(number);
        }
    }

    pub fn merge(&mut self, more: &Self) {
        for (size, number) in &more.sizes {
            *self.sizes.entry(*size).or_default() += number;
        }
        self.count = self.count.saturating_add(more.count);
        self.sum = self.sum.saturating_add(more.sum);
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    /// Exact, not of the rounded numbers.
    pub fn sum(&self) -> u64 {
        self.sum
    }

    /// The mean; none if there is no number.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| amount(self.sum) / amount(self.count))
    }

    /// The smallest number that at least `percent` of all are not above; none if there is no number.
    pub fn percentile(&self, percent: u64) -> Option<u64> {
        let wanted = self.count.saturating_mul(percent.min(100)).div_ceil(100).max(1);
        let mut seen = 0_u64;
        self.sizes.iter().find_map(|(size, number)| {
            seen = seen.saturating_add(*number);
            (seen >= wanted).then_some(*size)
        })
    }

    /// How many numbers are at most `bound`. Exact if the bound has no more than three digits that are not 0.
    pub fn up_to(&self, bound: u64) -> u64 {
        self.sizes.range(..=bound).map(|(_, number)| number).sum()
    }
}

/// The number rounded up to three digits.
fn rounded(number: u64) -> u64 {
    let unit = 10_u64.pow(number.checked_ilog10().unwrap_or(0).saturating_sub(2));
    number.div_ceil(unit).saturating_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_and_bounds_are_those_of_the_numbers_to_three_digits() {
        let mut spread = Spread::default();
        assert_eq!((spread.mean(), spread.percentile(95)), (None, None));
        for number in 1..=100 {
            spread.add(number);
        }
        assert_eq!((spread.count(), spread.sum(), spread.mean()), (100, 5_050, Some(50.5)));
        assert_eq!(
            [0, 1, 50, 95, 100, 999].map(|percent| spread.percentile(percent).unwrap()),
            [1, 1, 50, 95, 100, 100]
        );
        assert_eq!([0, 1, 50, 1_000].map(|bound| spread.up_to(bound)), [0, 1, 50, 100]);
        assert_eq!([0, 999, 1_000, 1_001, 12_345, 600_000].map(rounded), [0, 999, 1_000, 1_010, 12_400, 600_000]);
        assert_eq!(rounded(u64::MAX), u64::MAX, "no number is too large");
        let mut more = Spread::default();
        more.add_known(Some(12_345));
        more.add_known(None);
        spread.merge(&more);
        assert_eq!((spread.count(), spread.sum(), spread.percentile(100)), (101, 17_395, Some(12_400)));
        assert_eq!((spread.up_to(12_300), spread.up_to(15_000)), (100, 101));
    }

    #[test]
    fn however_many_numbers_there_are_it_stays_small() {
        let mut spread = Spread::default();
        let mut number = 1_u64;
        for _ in 0..100_000 {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            spread.add(number >> 20);
        }
        assert!(spread.sizes.len() < 900 * 14, "{}", spread.sizes.len());
    }
}
