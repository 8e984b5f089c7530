//! `copydesk lsp`: the proof in a person's own editor, by the Language Server Protocol. It asks no server and sends nothing anywhere.
//!
//! The main loop takes the editor's messages in their order and answers from what was proved last. Each open draft is proved on a thread
//! of its own, which keeps its sources read.

mod answers;
#[cfg(unix)]
mod framing;
mod lines;
mod proving;
mod server;
mod shown;

use async_lsp::{MainLoop, concurrency::ConcurrencyLayer, panic::CatchUnwindLayer, server::LifecycleLayer};
use tower::ServiceBuilder;

use crate::cli::intake::house_style;
use crate::cli::prelude::*;
use server::LanguageServer;

#[derive(Debug, Clone, Args)]
pub(crate) struct LspArgs {
    /// Editors give this option; messages come by standard input in any case.
    #[arg(long, hide = true)]
    stdio: bool,
    #[command(flatten)]
    style: house_style::StyleArgs,
}

/// Serves until the editor ends it.
pub(crate) async fn lsp(config: Option<&Path>, arguments: &LspArgs) -> Result<Exit> {
    let settings = arguments.style.configured(config)?;
    let style = arguments.style.read(settings.as_ref())?;
    let (server, _) = MainLoop::new_server(|client| {
        let server = LanguageServer::new(client, settings, style);
        ServiceBuilder::new()
            .layer(LifecycleLayer::default())
            .layer(CatchUnwindLayer::default())
            .layer(ConcurrencyLayer::default())
            .service(server.router())
    });
    serve(server).await
}

#[cfg(unix)]
async fn serve<S>(server: MainLoop<S>) -> Result<Exit>
where
    S: async_lsp::LspService<Response = serde_json::Value>,
    async_lsp::ResponseError: From<S::Error>,
{
    use async_lsp::stdio::{PipeStdin, PipeStdout};
    use std::sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    };

    let pipe = |error: std::io::Error| {
        wrong_use(format!("an editor speaks with this command through pipes, and there are none here: {error}"))
    };
    let (input, output) = (PipeStdin::lock_tokio().map_err(pipe)?, PipeStdout::lock_tokio().map_err(pipe)?);
    let output = framing::SharedOutput::new(output);
    let is_shut = Arc::new(AtomicBool::new(false));
    match server.run(framing::messages(input, output.clone(), Arc::clone(&is_shut)), output).await {
        Ok(()) if is_shut.load(Ordering::Relaxed) => Ok(Exit::Fine),
        // The protocol has an `exit` without a `shutdown` end with 1; or the editor has gone without a word.
        Ok(()) | Err(async_lsp::Error::Eof) => Ok(Exit::Failed),
        Err(error) => Err(wrong_use(format!("the editor's messages cannot be read: {error}"))),
    }
}

#[cfg(not(unix))]
async fn serve<S>(_: MainLoop<S>) -> Result<Exit> {
    Err(wrong_use("`copydesk lsp` runs on Linux and macOS only"))
}
