//! The size of a measurement. `cargo bench` measures; `cargo test --bench '*'` tries each bench once, on tiny numbers, so that none
//! stops working unnoticed.

/// The `whole` number to measure with, or a `tiny` one to try the bench. Cargo gives `--bench` to a program that is to measure.
pub fn sized<T>(whole: T, tiny: T) -> T {
    if std::env::args().any(|argument| argument == "--bench") { whole } else { tiny }
}
