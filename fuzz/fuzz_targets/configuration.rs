#![no_main]

#[allow(dead_code, reason = "each target calls one reader")]
#[path = "../../tests/support/foreign_bytes.rs"]
mod foreign_bytes;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| foreign_bytes::read_configuration(bytes));
