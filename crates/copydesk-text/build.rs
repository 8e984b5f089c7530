//! Writes the tokens of o200k as a table that can be used as it lies in the program (`src/tokens/o200k.rs`).
//!
//! To read the list that tiktoken has takes a tenth of a second and 45 MiB in every program that counts a token. The list lies in
//! `assets/tokens`. So no crate is built for the build alone.

#![allow(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "cargo speaks through the environment and standard output, and the table has a slot for each place"
)]

#[path = "src/tokens/hash.rs"]
mod hash;

use std::{env, error::Error, fs, path::Path};

/// For each token its length in a byte, then its bytes.
const LIST: &str = "../../assets/tokens/o200k.tokens";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/tokens/hash.rs");
    println!("cargo::rerun-if-changed={LIST}");
    let list = fs::read(LIST)?;
    let mut bytes = Vec::new();
    let mut ends = Vec::new();
    let mut slots = vec![0_u32; hash::SLOTS];
    let mut rest = list.as_slice();
    let mut number = 0;
    while let Some((length, behind)) = rest.split_first() {
        let (token, later) = behind.split_at(usize::from(*length));
        (rest, number) = (later, number + 1);
        let mut slot = hash::slot(token);
        while slots[slot] != 0 {
            slot = (slot + 1) % hash::SLOTS;
        }
        slots[slot] = number;
        bytes.extend_from_slice(token);
        ends.push(u32::try_from(bytes.len())?);
    }
    let out = env::var_os("OUT_DIR").ok_or("cargo says where files go")?;
    let write = |name: &str, bytes: &[u8]| fs::write(Path::new(&out).join(name), bytes);
    // Three bytes a number: no token's number and no place among the bytes needs more.
    let packed = |numbers: &[u32]| {
        numbers.iter().flat_map(|number| number.to_le_bytes().into_iter().take(3)).collect::<Vec<u8>>()
    };
    if bytes.len() >= 1 << 24 {
        return Err("the tokens are longer than three bytes can count".into());
    }
    write("o200k.bytes", &bytes)?;
    write("o200k.ends", &packed(&ends))?;
    write("o200k.slots", &packed(&slots))?;
    Ok(())
}
