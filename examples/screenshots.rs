//! Pictures of the real program, made by typing into it: the sample story, offline, in a workspace that is thrown away.
//!
//!     cargo run --example screenshots [-- FOLDER]
//!
//! Writes `docs/screens/NAME.svg` and `NAME.txt`, and the moving picture `docs/screens/story.svg` (or into FOLDER). The same program gives the same files: what differs from run to
//! run (times, the stamps of runs) is written over with [`ALIKE`].

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    reason = "what makes pictures stops where something is not as it should be"
)]

#[path = "../tests/support/terminal/mod.rs"]
#[allow(dead_code, missing_docs, reason = "the pictures use their share of the tests' support")]
mod terminal;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use copydesk::config::TEMPLATE;
use regex::Regex;
use terminal::{
    Program, Terminal,
    shot::{Cell, Shot},
    svg::{to_moving_svg, to_svg},
};

use Act::{Ends, Frame, Press, See, Take};

/// One thing that is done in a scene.
enum Act {
    /// Keys, as `j ctrl-p "text" enter`.
    Press(&'static str),
    /// Wait for a text.
    See(&'static str),
    /// Wait until the program has ended.
    Ends,
    /// A picture, with its name and its title.
    Take(&'static str, &'static str),
    /// A frame of the moving picture, with its title and how many seconds it stands.
    Frame(&'static str, f64),
}

/// A program, started with arguments in a terminal of rows and columns, and what is done with it.
struct Scene {
    arguments: &'static [&'static str],
    rows: u16,
    cols: u16,
    acts: &'static [Act],
}

/// The session, in order. All scenes share one workspace, which holds the sample as `topic.json` and `draft.md`.
const SCENES: &[Scene] = &[Scene {
    arguments: &[],
    rows: 36,
    cols: 120,
    acts: &[
        See("Your desk is empty"),
        Frame("One story: the minutes of a council, and a draft with five errors", 2.0),
        Press("Z"),
        See("concerns open."),
        Frame("The draft is reviewed; the desk waits for its editor", 2.5),
        Press("2"),
        See("compared with this passage"),
        Frame("A false figure beside the true one, with its line in the minutes", 4.0),
        Take("concerns", "A figure that the minutes do not have, beside the one that they have"),
        Press("4"),
        See("5 notes"),
        Press("J"),
        See("Here"),
        Take("draft", "The draft with its notes: what is wrong, and what the source has"),
        Press("2"),
        See("compared with this passage"),
        Press("j o tab \"The town's clerk confirmed it on the phone.\" ctrl-s"),
        See("overruled: KEEP"),
        Frame("One verdict is overruled, with a reason", 3.5),
        Press("c"),
        See("Round 2 waits for you"),
        Press("3"),
        See("Changes from draft 1 to draft 2"),
        Frame("The revision: each change, and who asked for it", 4.0),
        Take("changes", "What the revision changed, and who asked for it"),
        Press("c"),
        See("waits for your sign-off"),
        Press("S"),
        See("under your name"),
        Press("enter"),
        See("Signed off"),
        Frame("Signed off by its editor", 4.0),
        Press("q"),
        Ends,
    ],
}];

/// What differs from run to run, and what is written over it; cut, or filled with spaces, to the length of what was there.
const ALIKE: &[(&str, &str)] = &[
    (r"\d{8}T\d{6}Z", "20261006T120000Z"),
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?", "2026-10-06 12:00:00.000"),
    (r"\b\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d\b", "16 Oct 2026 12:00"),
    (r"\b\d\d:\d\d:\d\d\b", "12:00:00"),
    (r"\b\d+\.\d s\b", "0.1 s"),
    (r"\b\d+(s| s| min| h) ago\b", "now"),
];

/// GitHub shows larger ones, but nobody waits for them gladly.
const LARGEST: usize = 60_000;
const LARGEST_MOVING: usize = 300_000;

/// How long a screen must be still before its picture is taken.
const STILL: Duration = Duration::from_millis(300);

const TOPIC: &str = "assets/topics/miller-park-renovation.json";
const DRAFT: &str = "assets/drafts/miller-park-renovation.md";

fn main() {
    let house = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = std::env::args().nth(1).map_or_else(|| house.join("docs/screens"), PathBuf::from);
    fs::create_dir_all(&folder).expect("the folder of the pictures");
    let program = program();
    // Always the same, because a path may be on a picture.
    let workspace = std::env::temp_dir().join("copydesk-screens");
    if workspace.exists() {
        fs::remove_dir_all(&workspace).expect("an old workspace goes");
    }
    furnish(house, &workspace);
    let mut frames = Vec::new();
    for scene in SCENES {
        play(scene, &program, &workspace, &folder, &mut frames);
    }
    let moving = to_moving_svg(&frames, "A story from its draft to its signature");
    assert!(moving.len() < LARGEST_MOVING, "story.svg would be {} bytes", moving.len());
    fs::write(folder.join("story.svg"), &moving).expect("a moving picture");
    println!("story: {} bytes", moving.len());
    fs::remove_dir_all(&workspace).expect("the workspace goes");
}

/// The program beside this one, as its sources are now.
fn program() -> PathBuf {
    let here = std::env::current_exe().expect("a name");
    let profile = here.ancestors().nth(2).expect("the profile's folder");
    let target = profile.parent().expect("the target folder");
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--locked", "--bin", "copydesk", "--target-dir"]).arg(target);
    if profile.ends_with("release") {
        build.arg("--release");
    }
    let status = build.current_dir(env!("CARGO_MANIFEST_DIR")).status().expect("cargo starts");
    assert!(status.success(), "the program is built");
    profile.join("copydesk")
}

fn furnish(house: &Path, workspace: &Path) {
    let prompts = serde_json::json!(house.join("prompts/article_editor")).to_string();
    fs::create_dir_all(workspace.join("config")).expect("a workspace");
    let yaml = TEMPLATE.replacen("./prompts/article_editor", &prompts, 1);
    fs::write(workspace.join("config/config.yaml"), yaml).expect("a configuration");
    fs::copy(house.join(TOPIC), workspace.join("topic.json")).expect("a topic");
    fs::copy(house.join(DRAFT), workspace.join("draft.md")).expect("a draft");
}

fn play(scene: &Scene, program: &Path, workspace: &Path, folder: &Path, frames: &mut Vec<(Shot, String, f64)>) {
    let program = Program {
        path: program.to_owned(),
        arguments: scene.arguments.iter().map(Into::into).collect(),
        folder: workspace.to_owned(),
        environment: vec![("HOME".into(), workspace.join("home").into_os_string())],
    };
    let terminal = Terminal::run(&program, scene.rows, scene.cols);
    for act in scene.acts {
        match act {
            Press(keys) => drop(terminal.keys(keys)),
            See(text) => drop(terminal.wait_for(text)),
            Ends => drop(terminal.ended()),
            Frame(title, seconds) => frames.push((alike(terminal.settle(STILL)), (*title).to_owned(), *seconds)),
            Take(name, title) => {
                let shot = alike(terminal.settle(STILL));
                let svg = to_svg(&shot, title);
                assert!(svg.len() < LARGEST, "{name}.svg would be {} bytes", svg.len());
                fs::write(folder.join(format!("{name}.svg")), &svg).expect("a picture");
                fs::write(folder.join(format!("{name}.txt")), shot.text().trim_end().to_owned() + "\n")
                    .expect("a text");
                println!("{name}: {} bytes", svg.len());
            }
        }
    }
}

/// Writes over what differs from run to run.
fn alike(mut shot: Shot) -> Shot {
    for (pattern, same) in ALIKE {
        let pattern = Regex::new(pattern).expect("a pattern");
        for row in &mut shot.rows {
            over(row, &pattern, same);
        }
    }
    shot
}

fn over(row: &mut [Cell], pattern: &Regex, same: &str) {
    // One character a place, so that a place in the text is a place in the row.
    let text: String = row.iter().map(|cell| cell.text.chars().next().unwrap_or(' ')).collect();
    for found in pattern.find_iter(&text) {
        let first = text[..found.start()].chars().count();
        let mut fresh = same.chars();
        for cell in row.iter_mut().skip(first).take(found.as_str().chars().count()) {
            cell.text = fresh.next().unwrap_or(' ').to_string();
        }
    }
}
