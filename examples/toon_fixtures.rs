//! Holds the TOON crate against the fixtures of the specification: `.ci/toon` fetches them and calls this with their folder.
//!
//! The fixtures are of version 4.1, the crate is of 4.4, which lets a lenient reader take less. A difference there is printed and does not count:
//! Copydesk reads no TOON.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "what checks fixtures stops where one is not as it should be"
)]

use std::{env, fs, path::PathBuf, process::ExitCode};

use serde_json::Value;
use toon_format::{DecodeOptions, Delimiter, EncodeOptions, Indent, decode, encode};

fn main() -> ExitCode {
    let folder = PathBuf::from(env::args().nth(1).unwrap_or_default());
    let (mut held, mut lenient, mut all) = (0, 0, 0);
    for kind in ["encode", "decode"] {
        let mut files: Vec<PathBuf> =
            fs::read_dir(folder.join(kind)).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for file in files {
            let set: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
            for test in set["tests"].as_array().unwrap() {
                all += 1;
                let said = if kind == "encode" { encoded(test) } else { decoded(test) };
                let expected = (test["shouldError"] != true).then(|| test["expected"].to_string());
                if said == expected {
                    held += 1;
                } else {
                    lenient += usize::from(test["options"]["strict"] == false);
                    println!("{} {}: {said:?} instead of {expected:?}", file.display(), test["name"]);
                }
            }
        }
    }
    println!("{held} of {all} fixtures hold; {lenient} of lenient reading do not");
    if held + lenient == all && all > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What the crate writes, as a JSON string; none if it refuses.
fn encoded(test: &Value) -> Option<String> {
    let options = &test["options"];
    let mut how = EncodeOptions::new();
    if let Some(size) = indent(options) {
        how = how.with_indent(size);
    }
    match options["delimiter"].as_str() {
        Some("\t") => how = how.with_delimiter(Delimiter::Tab),
        Some("|") => how = how.with_delimiter(Delimiter::Pipe),
        _ => {}
    }
    encode(&test["input"], &how).ok().map(|text| Value::String(text).to_string())
}

/// What the crate reads, as JSON; none if it refuses.
fn decoded(test: &Value) -> Option<String> {
    let options = &test["options"];
    let mut how = DecodeOptions::new();
    if let Some(size) = indent(options) {
        how = how.with_indent(size);
    }
    if let Some(strict) = options["strict"].as_bool() {
        how = how.with_strict(strict);
    }
    decode::<Value>(test["input"].as_str().unwrap(), &how).ok().map(|value| value.to_string())
}

fn indent(options: &Value) -> Option<Indent> {
    options["indentSize"].as_u64().map(|size| Indent::Spaces(usize::try_from(size).unwrap()))
}
