//! Learns what a model server is: its kind and window, how much it takes at once and how fast, whether it keeps to a JSON schema and
//! calls tools.
//!
//! It asks the server's own pages first (`own_pages.rs`), then the model a few short questions (`trials.rs`). It decides nothing: what
//! follows for a configuration is `cli/wiring/fitting.rs`. Each question has a limit of time, and dropping the future stops all of it.

mod choice;
mod facts;
mod own_pages;
mod size;
mod trials;

use copydesk_config::{ModelSettings, ResponseFormat, Settings};
use copydesk_core::ports::{CallError, Heard};

pub use choice::choose_writer;
pub use facts::{CAREFUL_WINDOW, ServerKind, ServerProfile, Speed, Stated};

/// Asks a server and its model. `model` says where, under which name and with which key; `settings` say who may be asked
/// for what. A server that loads its model first is waited for. `told` hears what is being asked, for a person who waits.
///
/// # Errors
/// If the model gives no answer at all.
pub async fn measure(model: &ModelSettings, settings: &Settings, told: Heard<'_>) -> Result<ServerProfile, CallError> {
    let mut trials = trials::Trials::new(model, settings);
    told("asking for one word; a server may load its model first");
    trials.first_answer(told).await?;
    let said = own_pages::ask(model, settings.privacy.local_only).await;
    told("measuring how fast it reads and writes");
    let speed = trials.speed().await;
    told("trying whether it keeps to a JSON schema");
    // All known kinds do so: for one that is too busy to try it on.
    let by_documents = || {
        let how = format!("{} keeps to a schema by its documents; it gave no answer to try it on", said.kind.name());
        (said.kind != ServerKind::Other).then(|| Stated::new(ResponseFormat::JsonSchema, how))
    };
    let format = trials.format().await.or_else(by_documents);
    told("trying whether it calls tools");
    let tools = trials.tools().await;
    let (named, longest_answer) = if said.window.is_some() && said.kind != ServerKind::Other {
        (None, None)
    } else {
        told("asking for more than it can take, to learn its limits");
        trials.limits().await
    };
    let window = said.window.or(named);
    let billions = said.billions.or_else(|| size::in_name(&model.model).map(|size| Stated::new(size, "by its name")));
    let request = trials.request();
    let (kind, at_once) = (said.kind, said.at_once);
    Ok(ServerProfile { kind, window, longest_answer, at_once, format, request, tools, speed, billions })
}
