//! Writes where each token of o200k stands in the list, as a table that can be used as it lies in the program (`src/tokens/o200k.rs`).
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
    if list.len() >= 1 << 24 {
        return Err("the list is longer than three bytes can count".into());
    }
    let mut slots = vec![0_u32; hash::SLOTS];
    let mut at = 0;
    while let Some((length, behind)) = list.get(at..).and_then(|rest| rest.split_first()) {
        let token = &behind[..usize::from(*length)];
        let mut slot = hash::slot(token);
        while slots[slot] != 0 {
            slot = (slot + 1) % hash::SLOTS;
        }
        slots[slot] = u32::try_from(at + 1)?;
        at += 1 + token.len();
    }
    let out = env::var_os("OUT_DIR").ok_or("cargo says where files go")?;
    let packed: Vec<u8> = slots.iter().flat_map(|at| at.to_le_bytes().into_iter().take(3)).collect();
    fs::write(Path::new(&out).join("o200k.slots"), packed)?;
    Ok(())
}
