//! The functions that a BERT applies between its products. They are plain loops without branches, which the compiler turns into the
//! widest instructions that `pulp` finds on the machine. Computed one number at a time they would cost as much as the products.
#![expect(
    clippy::inline_always,
    reason = "only what is inlined into pulp's dispatch is compiled for the machine's own instructions"
)]

use std::f32::consts::{FRAC_1_SQRT_2, LOG2_E};

use pulp::{Arch, NullaryFnOnce};

use super::weights::Norm;

/// Sums that are computed side by side, so that none waits for another.
const LANES: usize = 16;

/// GELU in its exact form (Hendrycks and Gimpel 2016): `x · Φ(x)` with the distribution of the normal law, by the error function.
pub(super) fn gelu(values: &mut [f32]) {
    Arch::new().dispatch(Gelu(values));
}

/// `exp(scale · x)` of each number over the sum of them all, by row. `scale` is positive.
pub(super) fn softmax(values: &mut [f32], columns: usize, scale: f32) {
    Arch::new().dispatch(Softmax { values, columns, scale });
}

/// Layer normalisation (Ba, Kiros and Hinton 2016) of each row, which is as long as `norm`.
pub(super) fn normalise(values: &mut [f32], norm: &Norm, epsilon: f32) {
    Arch::new().dispatch(Normalise { values, norm, epsilon });
}

// These are structs, not closures, because a closure need not be inlined.

struct Gelu<'a>(&'a mut [f32]);

impl NullaryFnOnce for Gelu<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for value in self.0 {
            *value = 0.5 * *value * (1.0 + erf(*value * FRAC_1_SQRT_2));
        }
    }
}

struct Softmax<'a> {
    values: &'a mut [f32],
    columns: usize,
    scale: f32,
}

impl NullaryFnOnce for Softmax<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for row in self.values.chunks_exact_mut(self.columns) {
            // The largest power is then 1.
            let most = largest(row);
            for value in &mut *row {
                *value = exp((*value - most) * self.scale);
            }
            let share = 1.0 / sum(row);
            for value in row {
                *value *= share;
            }
        }
    }
}

struct Normalise<'a> {
    values: &'a mut [f32],
    norm: &'a Norm,
    epsilon: f32,
}

impl NullaryFnOnce for Normalise<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Norm { scale, shift } = self.norm;
        #[expect(clippy::cast_precision_loss, reason = "a row has some thousand numbers at most")]
        let count = scale.len() as f32;
        for row in self.values.chunks_exact_mut(scale.len()) {
            let mean = sum(row) / count;
            for value in &mut *row {
                *value -= mean;
            }
            let spread = 1.0 / (sum_of_squares(row) / count + self.epsilon).sqrt();
            for ((value, scale), shift) in row.iter_mut().zip(scale).zip(shift) {
                *value = *value * spread * scale + shift;
            }
        }
    }
}

/// Adds `more` to `values`, number by number.
pub(super) fn add(values: &mut [f32], more: &[f32]) {
    for (value, more) in values.iter_mut().zip(more) {
        *value += more;
    }
}

/// The error function, by the rational approximation that Eigen and XLA use for f32; right to 3e-7 (its test).
#[inline(always)]
#[expect(clippy::excessive_precision, reason = "the coefficients as they were published")]
fn erf(x: f32) -> f32 {
    let x = x.clamp(-4.0, 4.0);
    let square = x * x;
    let above = [
        -2.726_142_258_013_06e-10,
        2.770_681_424_959_02e-8,
        -2.101_024_020_825_08e-6,
        -5.692_506_394_623_46e-5,
        -7.349_906_303_268_55e-4,
        -2.954_599_808_540_25e-3,
        -1.609_603_332_624_15e-2,
    ];
    let below = [
        -1.456_607_184_649_96e-5,
        -2.133_740_552_789_05e-4,
        -1.682_826_974_382_03e-3,
        -7.373_329_167_204_68e-3,
        -1.426_473_905_141_89e-2,
    ];
    x * polynomial(&above, square) / polynomial(&below, square)
}

/// `e` to the power of `x`, which is 0 or below, by powers of two and the polynomial of the Cephes library; right to 2e-7 of its value (its
/// test). A result below the smallest normal number comes out near that number.
#[inline(always)]
#[expect(clippy::excessive_precision, reason = "the coefficients as they were published")]
fn exp(x: f32) -> f32 {
    /// Adding and subtracting this number rounds to a whole number, because f32 has no fractions beyond 2^23.
    const ROUNDING: f32 = 12_582_912.0;
    let x = x.max(-87.0);
    let shifted = x * LOG2_E + ROUNDING;
    let power = shifted - ROUNDING;
    // ln 2 in two parts, the first with few enough digits that its product is exact.
    let rest = x - power * 0.693_359_375 + power * 2.121_944_4e-4;
    let series = [
        1.987_569_150_0e-4,
        1.398_199_950_7e-3,
        8.333_451_907_3e-3,
        4.166_579_589_4e-2,
        1.666_666_545_9e-1,
        5.000_000_120_1e-1,
    ];
    let fraction = polynomial(&series, rest) * rest * rest + rest + 1.0;
    let exponent = shifted.to_bits().wrapping_sub(ROUNDING.to_bits()).wrapping_add(127);
    fraction * f32::from_bits(exponent << 23)
}

/// The coefficient of the highest power comes first.
#[inline(always)]
fn polynomial<const N: usize>(coefficients: &[f32; N], x: f32) -> f32 {
    coefficients.iter().fold(0.0, |value, coefficient| value * x + coefficient)
}

#[inline(always)]
fn sum(values: &[f32]) -> f32 {
    side_by_side(values, 0.0, |total, value| total + value)
}

#[inline(always)]
fn sum_of_squares(values: &[f32]) -> f32 {
    let (groups, rest) = values.as_chunks::<LANES>();
    let mut lanes = [0.0; LANES];
    for group in groups {
        for (lane, value) in lanes.iter_mut().zip(group) {
            *lane += value * value;
        }
    }
    lanes.iter().sum::<f32>() + rest.iter().map(|value| value * value).sum::<f32>()
}

#[inline(always)]
fn largest(values: &[f32]) -> f32 {
    side_by_side(values, f32::NEG_INFINITY, |most, value| if value > most { value } else { most })
}

#[inline(always)]
fn side_by_side(values: &[f32], start: f32, both: impl Fn(f32, f32) -> f32) -> f32 {
    let (groups, rest) = values.as_chunks::<LANES>();
    let mut lanes = [start; LANES];
    for group in groups {
        for (lane, value) in lanes.iter_mut().zip(group) {
            *lane = both(*lane, *value);
        }
    }
    lanes.iter().chain(rest).fold(start, |total, value| both(total, *value))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From -10 to 10 in steps that are no round numbers.
    fn line() -> impl Iterator<Item = f32> {
        (-1000i16..=1000).map(|step| f32::from(step) * 0.010_01)
    }

    /// The error function in f64: its Taylor series where that converges well, else its continued fraction.
    fn exact_erf(x: f64) -> f64 {
        if x.abs() < 3.0 {
            let (mut term, mut total) = (x, x);
            for n in 1..200 {
                let n = f64::from(n);
                term *= -x * x / n;
                total += term / (2.0 * n + 1.0);
            }
            return total * std::f64::consts::FRAC_2_SQRT_PI;
        }
        let tail = (1..60).rev().fold(0.0, |below, n| f64::from(n) / 2.0 / (x.abs() + below));
        x.signum() * (1.0 - (-x * x).exp() / std::f64::consts::PI.sqrt() / (x.abs() + tail))
    }

    #[test]
    fn the_error_function_is_right() {
        assert!((exact_erf(1.0) - 0.842_700_792_949_714_9).abs() < 1e-15);
        assert!((exact_erf(3.5) - 0.999_999_256_901_627_7).abs() < 1e-15);
        for x in line() {
            let (is, should) = (f64::from(erf(x)), exact_erf(f64::from(x)));
            assert!((is - should).abs() < 3e-7, "erf({x}) = {is}, not {should}");
        }
    }

    #[test]
    fn gelu_is_its_exact_form() {
        let mut values: Vec<f32> = line().collect();
        gelu(&mut values);
        for (x, is) in line().map(f64::from).zip(values) {
            let should = 0.5 * x * (1.0 + exact_erf(x / std::f64::consts::SQRT_2));
            assert!((f64::from(is) - should).abs() < 1e-6, "gelu({x}) = {is}, not {should}");
        }
    }

    #[test]
    fn the_exponential_is_right() {
        for x in line().map(|x| (x - 10.02) * 4.0) {
            let (is, should) = (f64::from(exp(x)), f64::from(x).exp());
            assert!((is / should - 1.0).abs() < 2e-7, "exp({x}) = {is}, not {should}");
        }
        assert_eq!(exp(0.0).to_bits(), 1.0f32.to_bits());
        assert!(exp(f32::NEG_INFINITY) < 2e-38);
    }

    #[test]
    fn softmax_gives_shares() {
        // Far beyond what the exponential could hold, and a row that is no multiple of the lanes.
        let mut values: Vec<f32> = (0u8..40).map(|step| 1000.0 + f32::from(step % 20)).collect();
        softmax(&mut values, 20, 0.5);
        let whole: f64 = (0..20).map(|step| (f64::from(step) * 0.5).exp()).sum();
        for (is, step) in values.into_iter().zip((0..20).chain(0..20)) {
            let should = (f64::from(step) * 0.5).exp() / whole;
            assert!((f64::from(is) - should).abs() < 1e-6, "{is}, not {should}");
        }
    }

    #[test]
    fn a_row_is_normalised_scaled_and_shifted() {
        let norm = Norm { scale: vec![2.0; 18], shift: vec![0.5; 18] };
        let mut values: Vec<f32> = (0u8..36).map(|step| if step % 2 == 0 { 4.0 } else { 10.0 }).collect();
        normalise(&mut values, &norm, 1e-12);
        // Mean 7, deviation 3.
        for (step, value) in values.into_iter().enumerate() {
            let should = if step % 2 == 0 { -1.5 } else { 2.5 };
            assert!((value - should).abs() < 1e-6, "{value}");
        }
    }
}
