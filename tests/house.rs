//! The plan on paper and the house stay one: no room looks up a floor, none looks at its neighbour but where ARCHITECTURE.md
//! says so.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that meets the unexpected should stop there and say so"
)]

use std::{fs, path::Path};

/// A room, its floor (0 is the ground), and the neighbours on its floor that it may look at.
const ROOMS: [(&str, u8, &[&str]); 18] = [
    ("cli", 4, &[]),
    ("headless", 3, &[]),
    ("tui", 3, &[]),
    ("desk", 2, &["agents"]),
    ("agents", 2, &[]),
    ("llm", 2, &[]),
    ("knowledge", 2, &[]),
    ("store", 2, &[]),
    ("ports", 1, &[]),
    ("config", 1, &[]),
    ("documents", 0, &["newsroom", "text"]),
    ("editorial", 0, &["newsroom", "text"]),
    ("proof", 0, &["newsroom", "text"]),
    ("style", 0, &["newsroom", "text"]),
    ("newsroom", 0, &[]),
    ("text", 0, &[]),
    // The binary and the library's root stand above everything.
    ("main", 5, &["lib"]),
    ("lib", 5, &[]),
];

/// From the desk's floor the adapters on the east side are out of sight: both sides know ports.
const WEST: [&str; 2] = ["desk", "agents"];

fn floor(room: &str) -> Option<u8> {
    ROOMS.iter().find(|(name, ..)| *name == room).map(|(_, floor, _)| *floor)
}

fn files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The rooms that a file's `crate::…` paths name; code behind `#[cfg(test)]` at the end of a file may look where it likes.
fn looks_at(source: &str) -> Vec<String> {
    let code: String = source
        .split("#[cfg(test)]\nmod tests")
        .next()
        .unwrap_or_default()
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n");
    let mut rooms = Vec::new();
    for (index, _) in code.match_indices("crate::") {
        let rest = &code[index + "crate::".len()..];
        if let Some(group) = rest.strip_prefix('{') {
            // The top level of `use crate::{a::…, b::{…}}`.
            let mut depth = 0usize;
            let mut name = String::new();
            let mut reading = true;
            for c in group.chars() {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => {
                        rooms.push(name.trim().to_owned());
                        name.clear();
                        reading = true;
                    }
                    ':' if depth == 0 => reading = false,
                    c if depth == 0 && reading => name.push(c),
                    _ => {}
                }
            }
            rooms.push(name.trim().to_owned());
        } else {
            rooms.push(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
        }
    }
    rooms.retain(|room| !room.is_empty());
    rooms
}

#[test]
fn no_room_looks_up_a_floor_or_at_its_neighbour() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    files(&root, &mut found);
    assert!(found.len() > 50, "the house is not empty: {}", found.len());
    let mut wrong = Vec::new();
    for path in found {
        let inside = path.strip_prefix(&root).unwrap();
        let here = inside.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned();
        let (_, own, neighbours) =
            ROOMS.iter().find(|(name, ..)| *name == here).unwrap_or_else(|| panic!("{here} is no room of the plan"));
        for seen in looks_at(&fs::read_to_string(&path).unwrap()) {
            let Some(level) = floor(&seen) else { continue };
            let neighbour = level == *own && seen != here && !neighbours.contains(&seen.as_str());
            let adapter = WEST.contains(&here.as_str()) && level == 2 && !WEST.contains(&seen.as_str());
            if level > *own || neighbour || adapter {
                wrong.push(format!("{}: {here} looks at {seen}", inside.display()));
            }
        }
    }
    wrong.sort();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_the_store_speaks_sql_and_only_the_egress_makes_requests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    files(&root, &mut found);
    for path in found {
        let inside = path.strip_prefix(&root).unwrap().display().to_string();
        let source = fs::read_to_string(&path).unwrap();
        assert!(inside.starts_with("store/") || !source.contains("rusqlite"), "{inside} speaks SQL");
        let requests = source.contains("reqwest::Client::") || source.contains(".send().await");
        assert!(inside == "llm/egress.rs" || !requests, "{inside} makes requests of its own");
    }
}

#[test]
fn the_reader_of_paths_sees_what_it_should() {
    let source = "use crate::{\n    newsroom::{A, B},\n    ports::X,\n};\nfn f() { crate::text::clean(); }\n#[cfg(test)]\nmod tests { use crate::cli; }";
    assert_eq!(looks_at(source), ["newsroom", "ports", "text"]);
}
