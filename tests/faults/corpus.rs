//! Files that attacked the readers once, and small files like them, read again by every target of the fuzzer (`fuzz/`).

use std::{
    collections::BTreeMap,
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    time::{Duration, Instant},
};

use crate::support::foreign_bytes::READERS;

/// Files that stop whoever reads them: the program gives them to a process of its own, and so does the fuzzer.
const STOP_THEIR_READER: [&str; 1] = ["nested-function.pdf"];

/// The corpus of a target, by name.
fn corpus(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap()))
        .filter(|(name, _)| !STOP_THEIR_READER.contains(&name.as_str()))
        .collect();
    files.sort();
    files
}

#[test]
fn every_file_of_the_corpus_is_read_to_an_end() {
    for (target, read) in READERS {
        let files = corpus(target);
        assert!(files.len() > 3, "{target} has a corpus");
        for (name, bytes) in files {
            let held = catch_unwind(AssertUnwindSafe(|| read(&bytes)));
            assert!(held.is_ok(), "fuzz/corpus/{target}/{name}");
        }
    }
}

/// Changes the corpus at random for a while: `cargo test --test faults -- corpus::mutated --ignored --nocapture`. What breaks is printed
/// as bytes. It is not coverage-guided, as the fuzzer is.
#[test]
#[ignore = "takes five minutes"]
fn mutated_files_are_read_to_an_end() {
    const EACH: Duration = Duration::from_secs(30);
    let mut counts = BTreeMap::new();
    let mut broken = Vec::new();
    for (target, read) in READERS {
        let files = corpus(target);
        let mut chance = Chance(0x5EED_2026_1125_0001);
        let start = Instant::now();
        let mut slowest = Duration::ZERO;
        let mut tried = 0_u64;
        while start.elapsed() < EACH {
            let bytes = mutated(&files, &mut chance);
            let began = Instant::now();
            if catch_unwind(AssertUnwindSafe(|| read(&bytes))).is_err() {
                broken.push(format!("{target}: {:?}", String::from_utf8_lossy(&bytes)));
            }
            slowest = slowest.max(began.elapsed());
            tried += 1;
        }
        counts.insert(target, (tried, slowest));
    }
    for (target, (tried, slowest)) in counts {
        println!("{target}: {tried} files, the slowest {} ms", slowest.as_millis());
    }
    assert!(broken.is_empty(), "{} broke, the first {}", broken.len(), broken[0]);
}

/// A small generator, so that a seed gives the same files everywhere (xorshift64*).
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(number).unwrap() % limit.max(1)
    }
}

/// One file of the corpus with one to six changes: bytes set, taken out, doubled, or a piece of another file put in.
fn mutated(files: &[(String, Vec<u8>)], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = files[chance.below(files.len())].1.clone();
    for _ in 0..=chance.below(6) {
        let at = chance.below(bytes.len() + 1);
        let end = at + chance.below((bytes.len() - at).min(64) + 1);
        match chance.below(5) {
            0 if at < bytes.len() => bytes[at] = u8::try_from(chance.below(256)).unwrap(),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let piece = bytes[at..end].repeat(1 + chance.below(8));
                bytes.splice(at..at, piece);
            }
            3 => {
                let other = &files[chance.below(files.len())].1;
                let from = chance.below(other.len() + 1);
                let to = from + chance.below((other.len() - from).min(256) + 1);
                bytes.splice(at..end, other[from..to].iter().copied());
            }
            _ => {
                let number = ["0", "-1", "99999999999", "1e999", "\u{0}", "\u{202E}", "'", "\""][chance.below(8)];
                bytes.splice(at..at, number.bytes());
            }
        }
    }
    bytes.truncate(1 << 14);
    bytes
}
