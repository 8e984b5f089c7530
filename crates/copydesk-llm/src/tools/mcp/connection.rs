//! One connection to a server, from the greeting to the end.

use std::{path::PathBuf, sync::Arc, time::Duration};

use rmcp::{
    RoleClient,
    model::{
        CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, Implementation, ListToolsResult,
        PaginatedRequestParams, ProtocolVersion,
    },
    service::{ClientInitializeError, ClientLifecycleMode, RunningService, ServiceError, serve_client_with_lifecycle},
    transport::{StreamableHttpClientTransport, streamable_http_client::StreamableHttpClientTransportConfig},
};

use super::{error::McpError, http::Address, mishaps::Mishaps, program::Pipes};
use crate::llm::{Egress, root_cause};
use copydesk_config::{McpAddress, McpAt, McpProgram, McpServer, Secrets};
use copydesk_core::ports::Occasion;
use copydesk_text::sanitise;

/// Bytes that a message may have beside its result: a list of tools, or an image that is named and not shown.
const ROOM: usize = 4 << 20;
/// Bytes that JSON may need for one byte of a result.
const ESCAPED: usize = 6;
/// How long a program's last complaint may be under way.
const LAST_WORDS: Duration = Duration::from_millis(100);
/// Most characters of what a server says is wrong.
const LONGEST_DETAIL: usize = 500;

/// The parts that every connection of a desk needs.
pub(super) struct Surroundings {
    pub(super) egress: Arc<Egress>,
    /// The secrets that no message shows.
    pub(super) secrets: Secrets,
    /// The folder that programs work in.
    pub(super) workspace: PathBuf,
}

pub(super) struct Connection {
    pub(super) server: McpServer,
    around: Arc<Surroundings>,
    pub(super) service: Service,
    mishaps: Arc<Mishaps>,
}

/// Why a call has no answer.
pub(super) enum Unanswered {
    /// The server says that it cannot; this is why.
    Refused(String),
    /// There was no answer, and there may be one later.
    Broken(McpError),
}

impl Connection {
    /// Starts or calls the server, and greets it. Dropping the future ends the program.
    pub(super) async fn open(server: &McpServer, around: &Arc<Surroundings>) -> Result<Self, McpError> {
        let mishaps = Arc::new(Mishaps::new(server.longest_result.saturating_mul(ESCAPED).saturating_add(ROOM)));
        let greeted = tokio::time::timeout(server.timeout, greet(server, around, &mishaps));
        let service = match greeted.await {
            Ok(service) => service?,
            Err(_) => return Err(timed_out(server)),
        };
        let theirs = service.peer_info().map_or_else(String::new, |info| info.protocol_version.to_string());
        let known = ProtocolVersion::KNOWN_VERSIONS;
        if !known.iter().any(|version| version.as_str() == theirs) {
            let ours: Vec<&str> = known.iter().map(ProtocolVersion::as_str).collect();
            return Err(McpError::Version { theirs: sanitise::excerpt(&theirs, 40), ours: ours.join(", ") });
        }
        Ok(Self { server: server.clone(), around: Arc::clone(around), service, mishaps })
    }

    pub(super) fn is_open(&self) -> bool {
        !self.service.is_closed() && !self.service.is_transport_closed()
    }

    /// One page of the server's tools.
    pub(super) async fn page(&self, cursor: Option<String>) -> Result<ListToolsResult, McpError> {
        let params = PaginatedRequestParams::default().with_cursor(cursor);
        self.within(self.service.list_tools(Some(params))).await.map_err(|unanswered| match unanswered {
            Unanswered::Broken(error) => error,
            Unanswered::Refused(detail) => McpError::Unusable { detail, setting: self.server.setting.clone() },
        })
    }

    pub(super) async fn call(&self, params: CallToolRequestParams) -> Result<CallToolResult, Unanswered> {
        self.within(self.service.call_tool(params)).await
    }

    /// An answer within the server's time and size.
    async fn within<T>(&self, answer: impl Future<Output = Result<T, ServiceError>>) -> Result<T, Unanswered> {
        let Self { server, around, mishaps, .. } = self;
        let asked = tokio::time::timeout(server.timeout, async {
            // A message that is too large may end the answer as well, and says more.
            tokio::select! {
                biased;
                () = mishaps.next_oversized() => None,
                answer = answer => Some(answer),
            }
        });
        let error = match asked.await {
            Ok(Some(Ok(answer))) => return Ok(answer),
            Ok(Some(Err(error))) => error,
            Ok(None) => {
                let error = McpError::TooLarge { limit_kb: mishaps.limit / 1024, setting: server.setting.clone() };
                return Err(Unanswered::Refused(error.to_string()));
            }
            Err(_) => return Err(Unanswered::Broken(timed_out(server))),
        };
        Err(match error {
            ServiceError::McpError(error) => Unanswered::Refused(detail(&error.message, around)),
            ServiceError::TransportSend(error) => {
                Unanswered::Broken(McpError::Ended { detail: detail(&root_cause(error.error.as_ref()), around) })
            }
            ServiceError::TransportClosed | ServiceError::Cancelled { .. } => {
                Unanswered::Broken(ended(server, around, mishaps, "it closed the connection").await)
            }
            other => Unanswered::Refused(detail(&other.to_string(), around)),
        })
    }
}

type Service = RunningService<RoleClient, ClientConfig>;

/// Greets a server in the newest way, and in the older one if it does not know the newest.
async fn greet(server: &McpServer, around: &Surroundings, mishaps: &Arc<Mishaps>) -> Result<Service, McpError> {
    let newest = ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::LATEST],
        legacy_version: Some(ProtocolVersion::LATEST_WITH_INITIALIZE),
    };
    let mut greeted = attempt(server, around, mishaps, newest).await?;
    // Some servers answer anything to a request that they do not know.
    if matches!(greeted, Err(ClientInitializeError::ExpectedInitResult(_))) {
        greeted = attempt(server, around, mishaps, ClientLifecycleMode::Initialize).await?;
    }
    match greeted {
        Ok(service) => Ok(service),
        Err(error) => Err(match (&server.at, error) {
            (McpAt::Address(at), _) if address(at, around, mishaps).is_old().await => McpError::OldTransport,
            (McpAt::Program(_), ClientInitializeError::ConnectionClosed(_)) => {
                ended(server, around, mishaps, "it closed its output").await
            }
            (McpAt::Program(_), ClientInitializeError::TransportError { error, .. }) => {
                ended(server, around, mishaps, &root_cause(error.error.as_ref())).await
            }
            (_, error) => unusable(server, around, &error),
        }),
    }
}

async fn attempt(
    server: &McpServer,
    around: &Surroundings,
    mishaps: &Arc<Mishaps>,
    lifecycle: ClientLifecycleMode,
) -> Result<Result<Service, ClientInitializeError>, McpError> {
    let me = Implementation::new("copydesk", env!("CARGO_PKG_VERSION"));
    let me = ClientConfig::new(ClientCapabilities::default(), me)
        .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE);
    Ok(match &server.at {
        McpAt::Program(McpProgram { command, args, env, .. }) => {
            let pipes = Pipes::start(command, args, env.iter(), &around.workspace, mishaps);
            let pipes = pipes.map_err(|error| McpError::NotStarted {
                command: command.clone(),
                detail: error.to_string(),
                setting: server.setting.clone(),
            })?;
            serve_client_with_lifecycle(me, pipes, lifecycle).await
        }
        McpAt::Address(at) => {
            // The address is the endpoint's; this one is not used.
            let config = StreamableHttpClientTransportConfig::with_uri(at.endpoint.base.as_str());
            let address = address(at, around, mishaps);
            let transport = StreamableHttpClientTransport::with_client(address, config);
            serve_client_with_lifecycle(me, transport, lifecycle).await
        }
    })
}

fn address(at: &McpAddress, around: &Surroundings, mishaps: &Arc<Mishaps>) -> Address {
    Address {
        egress: Arc::clone(&around.egress),
        endpoint: Arc::new(at.endpoint.clone()),
        bearer: at.bearer.clone(),
        mishaps: Arc::clone(mishaps),
        occasion: Arc::new(Occasion {
            why: "connection to a server of tools".to_owned(),
            books: Occasion::now().and_then(|now| now.books.clone()),
            ..Occasion::default()
        }),
    }
}

fn timed_out(server: &McpServer) -> McpError {
    McpError::TimedOut {
        seconds: server.timeout.as_secs() + u64::from(server.timeout.subsec_nanos() > 0),
        setting: server.setting.clone(),
    }
}

/// Why a connection ended: what the program complained about, if it did.
async fn ended(server: &McpServer, around: &Surroundings, mishaps: &Mishaps, otherwise: &str) -> McpError {
    if matches!(server.at, McpAt::Program(_)) {
        tokio::time::sleep(LAST_WORDS).await;
    }
    let said = mishaps.last_words().map_or_else(|| otherwise.to_owned(), |said| format!("its last line: {said}"));
    McpError::Ended { detail: detail(&said, around) }
}

fn unusable(server: &McpServer, around: &Surroundings, error: &ClientInitializeError) -> McpError {
    let said = match error {
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => return unusable(server, around, fallback),
        ClientInitializeError::TransportError { error, .. } => root_cause(error.error.as_ref()),
        ClientInitializeError::NoCompatibleProtocolVersion { server_supported, .. } => {
            let theirs: Vec<&str> = server_supported.iter().map(ProtocolVersion::as_str).collect();
            return McpError::Version {
                theirs: detail(&theirs.join(", "), around),
                ours: ProtocolVersion::LATEST.as_str().to_owned(),
            };
        }
        other => root_cause(other),
    };
    McpError::Unusable { detail: detail(&said, around), setting: server.setting.clone() }
}

/// A server's error message, in one line and without secrets.
fn detail(said: &str, around: &Surroundings) -> String {
    sanitise::excerpt(&around.secrets.hide_in_message(said), LONGEST_DETAIL)
}
