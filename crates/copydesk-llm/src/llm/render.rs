//! Has a page drawn by the program of `tools.fetch.render`.
//!
//! The program loads by itself whatever the page names, which nobody can check. So the address of the page has to be
//! admitted before it is started.

use std::{process::Stdio, time::Duration};

use tokio::io::AsyncReadExt as _;
use url::Url;

use crate::process::{self, Process};
use copydesk_config::Renderer;
use copydesk_core::ports::PageError;

/// The page at an address as the program prints it, at most so many kilobytes within so many seconds. It gets the variables beside the usual
/// ones. However this ends, the program and what it started have ended with it.
pub(super) async fn print(
    renderer: &Renderer,
    address: &Url,
    (seconds, most_kb): (f64, usize),
    variables: &[(&str, &str)],
) -> Result<Vec<u8>, PageError> {
    let failed = |why: String| not_drawn(renderer, why);
    let mut command = process::command(&renderer.program);
    // The address is one argument, and no shell reads it.
    command.args(renderer.arguments_for(address.as_str())).envs(variables.iter().copied());
    command.current_dir(std::env::temp_dir());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let started = command.spawn().map_err(|error| failed(format!("cannot be started ({error})")))?;
    let mut process = Process::of(started);
    let printing = async {
        let broke = |error: std::io::Error| failed(format!("broke off ({error})"));
        let most = most_kb << 10;
        let mut body = Vec::new();
        if let Some(output) = process.child.stdout.take() {
            output.take(most as u64 + 1).read_to_end(&mut body).await.map_err(broke)?;
        }
        if body.len() > most {
            return Err(failed(format!("prints more than {most_kb} KB (tools.fetch.longest_page_kb)")));
        }
        let status = process.child.wait().await.map_err(broke)?;
        if status.success() { Ok(body) } else { Err(failed(format!("failed ({status}): try it by hand"))) }
    };
    let late = || failed(format!("did not end within {seconds} s (tools.fetch.timeout_seconds)"));
    tokio::time::timeout(Duration::from_secs_f64(seconds), printing).await.unwrap_or_else(|_| Err(late()))
}

/// Why a page was not drawn, in words that follow the program's name.
pub(super) fn not_drawn(renderer: &Renderer, why: impl Into<String>) -> PageError {
    PageError::NotDrawn { program: renderer.program.clone(), why: why.into() }
}
