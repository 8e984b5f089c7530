//! The scripted newsroom that errs, as a server that any program can ask: a writer whose drafts have planted faults, a reviewer who misses
//! some and invents others, specialists who know only what their prompt holds. `copydesk-eval pipeline` measures the desk against it.
//!
//!     cargo run --example erring_newsroom -- --topics DIR [--port 8499]
//!
//! It writes a topic for each of its stories to DIR, prints the address for `api_base`, and answers until it is stopped. The same prompt
//! always gets the same answer. Tokens are counted as `o200k_base` counts them.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a server for measurements prints what it does, and stops if its own scaffolding breaks"
)]

#[path = "../../tests/support/erring.rs"]
#[allow(dead_code, reason = "the server uses its share of the tests' support")]
mod erring;
#[path = "../../tests/support/server.rs"]
#[allow(dead_code, reason = "the server uses its share of the tests' support")]
mod server;

use std::{fs, path::Path, process::ExitCode};

use serde_json::json;
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let after = |name: &str| {
        let place = arguments.iter().position(|word| word == name)?;
        arguments.get(place + 1).cloned()
    };
    let port = after("--port").unwrap_or_else(|| "8499".to_owned()).parse();
    let (Some(folder), Ok(port), true) = (after("--topics"), port, arguments.len() <= 4) else {
        eprintln!("usage: erring_newsroom --topics DIR [--port 8499]");
        return ExitCode::from(2);
    };
    let stories = erring::stories();
    fs::create_dir_all(&folder).expect("a folder for the topics");
    for story in &stories {
        let file = Path::new(&folder).join(format!("{}.json", story.name));
        fs::write(file, story.topic().to_string()).expect("a topic");
    }
    let server = server::Server::at(port, move |call| erring::reply(&stories, call));
    println!("{}", json!({"api_base": server.base(), "topics": folder}));
    loop {
        std::thread::park();
    }
}
