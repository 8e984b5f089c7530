//! Matrix products. Only this file calls the `gemm` crate, whose function takes pointers, and it checks how far they reach.

/// The layout of a matrix: its rows are `row_stride` numbers apart, its columns `column_stride`.
#[derive(Clone, Copy)]
pub(super) struct MatrixShape {
    rows: usize,
    columns: usize,
    row_stride: usize,
    column_stride: usize,
}

impl MatrixShape {
    /// Rows in sequence, each `stride` numbers after the one before.
    pub(super) fn rows(rows: usize, columns: usize, stride: usize) -> Self {
        Self { rows, columns, row_stride: stride, column_stride: 1 }
    }

    /// The same numbers with rows and columns exchanged.
    pub(super) fn transposed(self) -> Self {
        Self { rows: self.columns, columns: self.rows, row_stride: self.column_stride, column_stride: self.row_stride }
    }

    /// Whether all its numbers lie within a slice of `length`.
    fn lies_within(self, length: usize) -> bool {
        let last = |count: usize, stride: usize| count.checked_sub(1).and_then(|last| last.checked_mul(stride));
        match (last(self.rows, self.row_stride), last(self.columns, self.column_stride)) {
            (Some(row), Some(column)) => row.checked_add(column).is_some_and(|last| last < length),
            // A matrix without rows or columns fits everywhere; one whose size overflows fits nowhere.
            _ => self.rows == 0 || self.columns == 0,
        }
    }

    /// Whether no two of its places share a number.
    fn is_apart(self) -> bool {
        self.column_stride == 1 && self.row_stride >= self.columns
    }

    fn strides(self) -> (isize, isize) {
        (self.column_stride.cast_signed(), self.row_stride.cast_signed())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Onto {
    /// The product replaces the output.
    Nothing,
    /// The product is added to the output.
    Present,
}

/// `out = a · b`, or `out += a · b`.
///
/// # Panics
/// If the shapes do not fit each other or reach beyond their numbers, which is a fault of the caller.
pub(super) fn product(out: (&mut [f32], MatrixShape), onto: Onto, a: (&[f32], MatrixShape), b: (&[f32], MatrixShape)) {
    let ((out, to), (a, left), (b, right)) = (out, a, b);
    assert!(
        to.rows == left.rows && to.columns == right.columns && left.columns == right.rows,
        "matrices that do not fit"
    );
    assert!(to.lies_within(out.len()) && to.is_apart(), "a product without room");
    assert!(left.lies_within(a.len()) && right.lies_within(b.len()), "a matrix beyond its numbers");
    let ((to_column, to_row), (left_column, left_row), (right_column, right_row)) =
        (to.strides(), left.strides(), right.strides());
    #[expect(unsafe_code, reason = "the function of the gemm crate takes pointers")]
    // SAFETY: every number that the shapes reach is within its slice, as asserted above. `out` is borrowed alone, and
    // no two of its places are the same. A slice has less than isize::MAX bytes, so that no stride is negative.
    unsafe {
        gemm::gemm(
            to.rows,
            to.columns,
            left.columns,
            out.as_mut_ptr(),
            to_column,
            to_row,
            onto == Onto::Present,
            a.as_ptr(),
            left_column,
            left_row,
            b.as_ptr(),
            right_column,
            right_row,
            1.0,
            1.0,
            false,
            false,
            false,
            // The packs already share the cores.
            gemm::Parallelism::None,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_is_the_product() {
        // Rows of three that stand four apart, and a second matrix that is given by its columns.
        let a = [1.0, 2.0, 3.0, 9.0, 4.0, 5.0, 6.0];
        let b = [1.0, 0.0, -1.0, 2.0, 2.0, 2.0];
        let mut out = [10.0, 10.0, 7.0, 10.0, 10.0];
        let (left, right) = (MatrixShape::rows(2, 3, 4), MatrixShape::rows(2, 3, 3).transposed());
        product((&mut out, MatrixShape::rows(2, 2, 3)), Onto::Present, (&a, left), (&b, right));
        assert_eq!(out.map(f32::to_bits), [8.0f32, 22.0, 7.0, 8.0, 40.0].map(f32::to_bits));
        product((&mut out, MatrixShape::rows(2, 2, 3)), Onto::Nothing, (&a, left), (&b, right));
        assert_eq!(out.map(f32::to_bits), [-2.0f32, 12.0, 7.0, -2.0, 30.0].map(f32::to_bits));
    }

    #[test]
    fn what_does_not_fit_is_not_begun() {
        let numbers = [0.0; 6];
        let tries = |rows: usize, columns: usize, room: usize, stride: usize| {
            std::panic::catch_unwind(|| {
                let (left, right) = (MatrixShape::rows(rows, 3, 3), MatrixShape::rows(3, columns, columns));
                let mut out = vec![0.0; room];
                product(
                    (&mut out, MatrixShape::rows(rows, columns, stride)),
                    Onto::Nothing,
                    (&numbers, left),
                    (&numbers, right),
                );
            })
            .is_ok()
        };
        assert!(tries(2, 2, 4, 2));
        assert!(!tries(2, 2, 3, 2), "no room");
        assert!(!tries(2, 2, 4, 1), "one place for two numbers");
        assert!(!tries(3, 2, 6, 2), "a beyond its numbers");
        assert!(!tries(2, 3, 6, 3), "b beyond its numbers");
        let mut out = [0.0; 4];
        let square = MatrixShape::rows(2, 2, 2);
        let unequal = std::panic::catch_unwind(move || {
            product((&mut out, square), Onto::Nothing, (&numbers, MatrixShape::rows(2, 3, 3)), (&numbers, square));
        });
        assert!(unequal.is_err(), "three columns against two rows");
    }
}
