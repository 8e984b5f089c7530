//! `copydesk mcp`: this desk's own tools for other programs, by the Model Context Protocol.

use std::net::SocketAddr;

use clap::ValueEnum;

use crate::cli::prelude::*;

#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    /// Whose tools to serve.
    agent: AgentArg,
    /// Serve over HTTP at this loopback address, such as 127.0.0.1:8765, instead of standard input and output. Port 0 takes any free one.
    #[arg(long, value_name = "ADDRESS")]
    http: Option<SocketAddr>,
    /// The file with the token that callers must send. Without it, a token is made and printed.
    #[arg(long, value_name = "FILE", requires = "http")]
    token_file: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum AgentArg {
    /// Search the web, open pages, read feeds, judge and compare sources, search the knowledge base.
    Reporter,
    /// Check a draft's language, house style, citations and coverage.
    Editor,
    /// Check quotations, claims and drafts against sources.
    FactChecker,
    /// Score headlines, check for search and accessibility, describe an article, convert its format; send signed stories to your targets.
    Publisher,
}

#[cfg(not(feature = "mcp"))]
pub(crate) fn mcp(_config: Option<&Path>, arguments: &McpArgs) -> Result<Exit> {
    let McpArgs { agent, http, token_file } = arguments;
    let asked = format!("{agent:?}{}", if http.is_some() || token_file.is_some() { " over HTTP" } else { "" });
    Err(crate::cli::exit::WrongUse(format!(
        "this copydesk was built without MCP, so it cannot serve the tools of {asked}. Build it with `cargo build --release --features \
         mcp`; the released binaries have it"
    ))
    .into())
}

#[cfg(feature = "mcp")]
pub(crate) use serving::mcp;

#[cfg(feature = "mcp")]
mod serving {
    use std::{io::IsTerminal as _, sync::Arc};

    use super::{AgentArg, Exit, McpArgs, Path, Result};
    use crate::{
        cli::{
            exit::WrongUse,
            intake::house_style,
            wiring::{self, clock, research_tools, settings, targets},
        },
        config::Secret,
        headless,
        knowledge::regular,
        ports::{Passages, Toolbox},
        tools::served::{
            ServedAgent, ServedDesk,
            http::{HttpServer, PATH},
            server::ToolServer,
        },
    };

    impl From<AgentArg> for ServedAgent {
        fn from(agent: AgentArg) -> Self {
            match agent {
                AgentArg::Reporter => Self::Reporter,
                AgentArg::Editor => Self::Editor,
                AgentArg::FactChecker => Self::FactChecker,
                AgentArg::Publisher => Self::Publisher,
            }
        }
    }

    /// Standard output is the protocol's: everything for a person goes to standard error.
    pub(crate) async fn mcp(config: Option<&Path>, arguments: &McpArgs) -> Result<Exit> {
        let settings = settings::load(config)?;
        let store = wiring::store(&settings)?;
        let style = house_style::asked_for(&settings)?;
        let base = &settings.article_generation.knowledge_base;
        let library = Arc::new(wiring::library(&settings, &store));
        let desk = ServedDesk {
            style: Arc::new(move |article, sources| style.review(article, sources)),
            passages: Arc::clone(&library) as Arc<dyn Passages>,
            clock: Arc::new(clock::SystemClock),
            min_credibility: base.min_credibility,
            top: base.top_k,
            stories: Some(Arc::new(store.clone())),
            books: Some(wiring::books(&store)),
            way_out: Some(targets::way_out(&settings, &store)),
        };
        let agent = ServedAgent::from(arguments.agent);
        let toolbox: Arc<dyn Toolbox> = Arc::new(research_tools::served(&settings, &store, library));
        let server = ToolServer::new(agent, desk, Some(toolbox));
        let Some(address) = arguments.http else {
            if std::io::stdin().is_terminal() {
                headless::message(
                    "Waiting for an MCP client on standard input. An MCP client starts this command itself; Ctrl-D ends it.",
                );
            }
            return Box::pin(stopped(server.serve_stdio()))
                .await
                .unwrap_or(Ok(()))
                .map(|()| Exit::Fine)
                .map_err(Into::into);
        };
        let listening = HttpServer::listen(address).await.map_err(|error| WrongUse(error.to_string()))?;
        let (token, made) = match &arguments.token_file {
            Some(file) => (read_token(file)?, false),
            None => (new_token()?, true),
        };
        headless::message(&format!("Serving the tools of {} at http://{}{PATH}", agent.name(), listening.address));
        if made {
            headless::message(&format!("Token (send it as \"Authorization: Bearer TOKEN\"): {}", token.reveal()));
        }
        stopped(listening.serve(server, token)).await;
        Ok(Exit::Interrupted)
    }

    /// The end of `work`; none if Ctrl-C came first.
    async fn stopped<T>(work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            ended = work => Some(ended),
            _ = tokio::signal::ctrl_c() => None,
        }
    }

    /// Fewest characters of a token: fewer can be guessed.
    const SHORTEST: usize = 16;

    /// Longest file of a token.
    const LONGEST: u64 = 4 << 10;

    fn read_token(file: &Path) -> Result<Secret> {
        let wrong = |what: String| WrongUse(format!("--token-file {}: {what}", file.display()));
        let text = regular::read_to_string(file, LONGEST).map_err(|error| wrong(error.to_string()))?;
        let token = text.trim();
        if token.len() < SHORTEST || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            let needs = format!("a token has at least {SHORTEST} letters, digits and signs, without spaces");
            return Err(wrong(needs).into());
        }
        Ok(Secret::new(token.to_owned()))
    }

    fn new_token() -> Result<Secret> {
        let mut bytes = [0; 32];
        let random = rustls::crypto::ring::default_provider().secure_random;
        random.fill(&mut bytes).map_err(|_| anyhow::anyhow!("this system gives no random bytes for a token"))?;
        Ok(Secret::new(hex::encode(bytes)))
    }
}
