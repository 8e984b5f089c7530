//! Draws the system as it stands, for docs/system.md: the house from the manifests of its crates, and a run from its record.
//!
//!     cargo run --example drawings [-- FOLDER]
//!
//! Writes `docs/system/house.svg` and `docs/system/run.svg` (or into FOLDER). The run is the sample story with its draft, done by rules.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    reason = "what draws pictures stops where something is not as it should be"
)]

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use copydesk::{
    config::TEMPLATE,
    newsroom::{Pool, Step},
};
use serde_json::Value;

/// The layers, as docs/layers/ tells them, with their colours; the first is the loop that they stand around.
const LAYERS: [(&str, &str); 6] = [
    ("the editorial loop and the proof", "#dbe7f5"),
    ("layer 0: observability", "#fbe3c8"),
    ("layer 1: agents, tools, skills", "#d9eed6"),
    ("layer 2: the desk", "#f3d9e2"),
    ("layer 3: context", "#e6dcf2"),
    ("what all of them use", "#ececec"),
];

/// Each crate with its layer and what it is.
const TOLD: [(&str, usize, &str); 12] = [
    ("eval", 5, "evaluations"),
    ("copydesk", 5, "commands, wiring, metrics"),
    ("tui", 5, "the screen"),
    ("llm", 2, "model servers, tools, search"),
    ("store", 3, "one SQLite file"),
    ("config", 5, "one YAML file"),
    ("core", 3, "the loop, agents, the desk"),
    ("documents", 5, "files as text"),
    ("proof", 0, "each claim, its source"),
    ("style", 0, "house style, spelling"),
    ("newsroom", 0, "the words of the trade"),
    ("text", 4, "sentences, tokens, TOON"),
];

fn main() {
    let house = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = std::env::args().nth(1).map_or_else(|| house.join("docs/system"), PathBuf::from);
    fs::create_dir_all(&folder).expect("the folder of the pictures");
    for (name, svg) in [("house", drawn_house(house)), ("run", drawn_run(&steps(house)))] {
        fs::write(folder.join(format!("{name}.svg")), &svg).expect("a picture");
        println!("{name}: {} bytes", svg.len());
    }
}

/// A picture that is being drawn.
struct Picture {
    width: usize,
    height: usize,
    body: String,
}

impl Picture {
    fn text(&mut self, x: usize, y: usize, class: &str, text: &str) {
        writeln!(self.body, "<text x=\"{x}\" y=\"{y}\" class=\"{class}\">{}</text>", escaped(text)).expect("text");
    }

    fn rectangle(&mut self, (x, y, width, height): (usize, usize, usize, usize), fill: &str) {
        let place = format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"");
        writeln!(self.body, "<rect {place} rx=\"4\" fill=\"{fill}\" stroke=\"#555\"/>").expect("text");
    }

    /// The whole file; `told` is for those who cannot see it.
    fn svg(self, title: &str, told: &str) -> String {
        let Self { width, height, body } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{}</title>\n<desc>{}</desc>\n\
             <style>text{{font-family:sans-serif;fill:#222}}.name{{font-size:13px;font-weight:bold}}.small{{font-size:11px}}</style>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n{body}</svg>\n",
            escaped(title),
            escaped(told)
        )
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The folder of a crate.
fn folder_of(house: &Path, name: &str) -> PathBuf {
    if name == "copydesk" { house.to_owned() } else { house.join(format!("crates/copydesk-{name}")) }
}

/// The crates of the house that a crate uses, as its manifest says.
fn used_by(house: &Path, name: &str) -> Vec<&'static str> {
    let manifest = fs::read_to_string(folder_of(house, name).join("Cargo.toml")).expect("a manifest");
    let from = manifest.find("\n[dependencies]").expect("dependencies");
    let lines = manifest[from..].lines().skip(2).take_while(|line| !line.starts_with('['));
    // The evaluations use the program itself, `copydesk`; all other crates are called `copydesk-NAME`.
    let used: Vec<&str> = lines
        .filter_map(|line| line.split(' ').next())
        .filter_map(|name| name.strip_prefix("copydesk-").or((name == "copydesk").then_some(name)))
        .collect();
    TOLD.iter().map(|(name, ..)| *name).filter(|name| used.contains(name)).collect()
}

/// How many crates stand below a crate, on the longest way down.
fn floor_of(name: &str, uses: &BTreeMap<&str, Vec<&str>>) -> usize {
    uses[name].iter().map(|used| floor_of(used, uses) + 1).max().unwrap_or(0)
}

/// Lines of code, without blank lines.
fn lines_in(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).expect("a room").map(|entry| entry.expect("a file").path());
    entries
        .map(|path| match path {
            path if path.is_dir() => lines_in(&path),
            path if path.extension().is_some_and(|ending| ending == "rs") => {
                fs::read_to_string(path).expect("a text").lines().filter(|line| !line.trim().is_empty()).count()
            }
            _ => 0,
        })
        .sum()
}

fn drawn_house(house: &Path) -> String {
    const BOX: (usize, usize) = (178, 62);
    const GAP: usize = 12;
    let uses: BTreeMap<&str, Vec<&str>> = TOLD.iter().map(|(name, ..)| (*name, used_by(house, name))).collect();
    let floors = floor_of("eval", &uses);
    let on_floor = |floor: usize| TOLD.iter().filter(|(name, ..)| floor_of(name, &uses) == floor).collect::<Vec<_>>();
    let most = (0..=floors).map(|floor| on_floor(floor).len()).max().unwrap_or(1);
    let width = 60 + most.max(4) * (BOX.0 + GAP);
    let mut picture = Picture { width, height: 0, body: String::new() };
    let mut y = 14;
    let mut told = Vec::new();
    for floor in (0..=floors).rev() {
        picture.text(8, y + BOX.1 / 2, "small", &floor.to_string());
        let mut names = Vec::new();
        for (at, (name, layer, what)) in on_floor(floor).iter().enumerate() {
            let x = 60 + at * (BOX.0 + GAP);
            picture.rectangle((x, y, BOX.0, BOX.1), LAYERS[*layer].1);
            picture.text(x + 8, y + 18, "name", name);
            picture.text(x + 8, y + 34, "small", what);
            // Hundreds: the picture must not change with each line.
            let hundreds = lines_in(&folder_of(house, name).join("src")).div_ceil(100);
            picture.text(x + 8, y + 50, "small", &format!("{}.{} k lines", hundreds / 10, hundreds % 10));
            names.push(*name);
        }
        told.push(format!("{}: {}", floor, names.join(", ")));
        y += BOX.1 + 2 * GAP;
    }
    for (at, (layer, colour)) in LAYERS.iter().enumerate() {
        let (x, line) = (60 + (at % 3) * 240, y + (at / 3) * 20);
        picture.rectangle((x, line, 14, 14), colour);
        picture.text(x + 20, line + 12, "small", layer);
    }
    picture.height = y + 48;
    picture.svg("The house: crates by floor, coloured by layer", &told.join("; "))
}

/// The steps of the sample story's run, as its record has them.
fn steps(house: &Path) -> Vec<Step> {
    let folder = std::env::temp_dir().join("copydesk-drawings");
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("an old workspace goes");
    }
    fs::create_dir_all(folder.join("config")).expect("a workspace");
    let prompts = serde_json::json!(house.join("prompts/article_editor")).to_string();
    let yaml = TEMPLATE.replacen("./prompts/article_editor", &prompts, 1);
    fs::write(folder.join("config/config.yaml"), yaml).expect("a configuration");
    let topic = house.join("assets/topics/miller-park-renovation.json");
    let draft = house.join("assets/drafts/miller-park-renovation.md");
    let program = program();
    let ran = |arguments: &[&str]| {
        let mut command = Command::new(&program);
        command.args(arguments).current_dir(&folder).env("HOME", folder.join("home"));
        command.output().expect("the program starts")
    };
    let path = |path: &Path| path.to_str().expect("a path").to_owned();
    ran(&["run", "--auto", "--draft", &path(&draft), &path(&topic)]);
    let shown = ran(&["show", "miller-park-renovation", "--json"]);
    let shown: Value = serde_json::from_slice(&shown.stdout).expect("the story is shown");
    fs::remove_dir_all(&folder).expect("the workspace goes");
    let steps = shown["steps"].as_array().expect("steps").iter();
    steps.map(|step| step["step"].as_str().expect("a name").parse().expect("a step")).collect()
}

/// The program beside this one, as its sources are now.
fn program() -> PathBuf {
    let here = std::env::current_exe().expect("a name");
    let profile = here.ancestors().nth(2).expect("the profile's folder").to_owned();
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--locked", "--bin", "copydesk", "--target-dir"]);
    build.arg(profile.parent().expect("the target folder"));
    let status = build.current_dir(env!("CARGO_MANIFEST_DIR")).status().expect("cargo starts");
    assert!(status.success(), "the program is built");
    profile.join("copydesk")
}

/// What a step is called whatever its concern, with its round.
fn kind(step: Step) -> (u32, String) {
    let name = step.to_string();
    let kind = name.rsplit('.').next().unwrap_or_default().to_owned();
    (step.round(), kind)
}

fn drawn_run(steps: &[Step]) -> String {
    const COLUMN: usize = 78;
    const LANE: usize = 44;
    // Steps of one kind that follow each other are one box.
    let mut boxes: Vec<(Pool, u32, String, usize)> = Vec::new();
    for step in steps {
        let (round, kind) = kind(*step);
        match boxes.last_mut() {
            Some((_, last, name, count)) if *last == round && *name == kind => *count += 1,
            _ => boxes.push((Pool::of(*step), round, kind, 1)),
        }
    }
    let lanes: Vec<Pool> = Pool::ALL.into_iter().filter(|pool| boxes.iter().any(|(of, ..)| of == pool)).collect();
    let width = 90 + boxes.len() * COLUMN;
    let mut picture = Picture { width, height: 40 + lanes.len() * LANE, body: String::new() };
    for (lane, pool) in lanes.iter().enumerate() {
        picture.text(8, 34 + lane * LANE, "name", pool.name());
    }
    let mut told = Vec::new();
    let mut last_round = None;
    for (at, (pool, round, kind, count)) in boxes.iter().enumerate() {
        let x = 90 + at * COLUMN;
        let lane = lanes.iter().position(|lane| lane == pool).expect("its lane");
        let name = if *count > 1 { format!("{kind} × {count}") } else { kind.clone() };
        if last_round != Some(*round) && (1..u32::MAX).contains(round) {
            picture.text(x, 12, "small", &format!("round {round}"));
        }
        last_round = Some(*round);
        picture.rectangle((x, 18 + lane * LANE, COLUMN - 8, 26), LAYERS[lane % LAYERS.len()].1);
        picture.text(x + 5, 35 + lane * LANE, "small", &name);
        told.push(format!("{}: {name}", pool.name()));
    }
    picture.svg("A run of the sample story, step by step, in the lane of the pool that does it", &told.join("; "))
}
