//! Makes `assets/readability/syllables.zst` from `CMUdict`: the words whose count of syllables the hyphenation gets wrong.
//!
//!     cargo run --example syllables -- cmudict.dict assets/readability/syllables.zst
//!
//! `cmudict.dict` is the dictionary as its maintainers publish it: a word, a space, its sounds; a vowel's sound ends with a digit.

use std::{collections::BTreeMap, env, fs, process::ExitCode};

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let (Some(from), Some(to)) = (arguments.next(), arguments.next()) else {
        return ExitCode::from(2);
    };
    let Ok(dictionary) = fs::read_to_string(from) else { return ExitCode::from(2) };
    let mut counts = BTreeMap::new();
    for line in dictionary.lines() {
        let Some((word, sounds)) = line.split_once(' ') else { continue };
        // "word(2)" is a second way to say it; the first counts. What stands behind # is a remark.
        let sounds = sounds.split('#').next().unwrap_or_default();
        let count = sounds.split(' ').filter(|sound| sound.ends_with(|c: char| c.is_ascii_digit())).count();
        if !word.contains('(') && (1..=9).contains(&count) && copydesk::style::hyphenated(word) != count {
            counts.entry(word.to_owned()).or_insert(count);
        }
    }
    let lines: Vec<String> = counts.into_iter().map(|(word, count)| format!("{word} {count}\n")).collect();
    let Ok(packed) = zstd::encode_all(lines.concat().as_bytes(), 19) else { return ExitCode::FAILURE };
    if fs::write(to, packed).is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
