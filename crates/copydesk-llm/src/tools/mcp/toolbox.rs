//! The tools of all servers as one toolbox.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use async_trait::async_trait;
use rmcp::model::{CallToolRequestParams, CallToolResult};
use serde_json::{Map, Value};
use tokio::sync::Mutex;

use super::{
    answers,
    connection::{Connection, Surroundings, Unanswered},
    error::McpError,
    listing::{self, McpOffer},
    names,
};
use crate::llm::{Egress, each_text};
use copydesk_config::{McpAt, McpServer, Secrets};
use copydesk_core::editorial::aliasing::Aliasing;
use copydesk_core::ports::{CallError, Clock, Occasion, ToolError, Toolbox, Withheld};
use copydesk_newsroom::{Agent, Tool, ToolCall, ToolEffect, ToolResult};

/// How long a server that failed is left alone.
const REST: Duration = Duration::from_mins(5);

/// The tools of the configured servers. The servers are started when the first tool is asked for, and end with this.
pub struct McpToolbox {
    servers: Vec<Server>,
    around: Arc<Surroundings>,
    /// Names that other tools of the desk have.
    taken: BTreeSet<String>,
    clock: Arc<dyn Clock>,
    offers: Mutex<Offers>,
    /// Held while servers are asked what they offer, which may take long; calls go on meanwhile.
    asking: Mutex<()>,
}

struct Server {
    settings: McpServer,
    connection: Mutex<Option<Arc<Connection>>>,
}

/// The tools on offer, once the servers were asked.
#[derive(Default)]
struct Offers {
    /// Each server's offer; none if it was not asked or did not answer.
    servers: BTreeMap<usize, McpOffer>,
    /// When a server failed last.
    failed: BTreeMap<usize, (Instant, McpError)>,
    /// By the name that a model uses: the server, its own name for it, and the tool. An entry never changes.
    tools: BTreeMap<String, Offer>,
}

#[derive(Clone)]
struct Offer {
    server: usize,
    own: String,
    tool: Tool,
}

/// The state of one server, for the doctor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpState {
    /// Its name in the configuration.
    pub server: String,
    /// Its offer, or why it cannot be used.
    pub found: Result<McpOffer, McpError>,
}

impl McpToolbox {
    /// The tools of `servers`, which is asked for nothing yet. Programs work in `workspace`; `secrets` are in no result; `taken` are names
    /// of other tools, which these do not get. `clock` says when a source was read.
    pub fn new(
        servers: Vec<McpServer>,
        secrets: Secrets,
        local_only: bool,
        workspace: &Path,
        taken: BTreeSet<String>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let egress = Arc::new(Egress::new(local_only));
        Self {
            servers: servers.into_iter().map(|settings| Server { settings, connection: Mutex::default() }).collect(),
            around: Arc::new(Surroundings { egress, secrets, workspace: workspace.to_owned() }),
            taken,
            clock,
            offers: Mutex::default(),
            asking: Mutex::default(),
        }
    }

    /// Whether an agent may call what a server offers; for a tool that asks, its caller has a person's word.
    fn may(&self, agent: Agent, offer: &Offer) -> bool {
        self.servers.get(offer.server).is_some_and(|server| server.settings.agents.contains(&agent))
    }

    /// Whether all servers may be reached on the occasion of the current task.
    pub(crate) fn may_be_reached(&self) -> Result<(), CallError> {
        self.servers.iter().try_for_each(|server| self.may_reach(server))
    }

    /// Whether a confidential story, if the current task works for one, may reach a server.
    fn may_reach(&self, server: &Server) -> Result<(), CallError> {
        let Some(now) = Occasion::now().filter(|now| now.secrecy.confidential) else { return Ok(()) };
        match &server.settings.at {
            McpAt::Address(address) => self.around.egress.allow(&address.endpoint),
            McpAt::Program(program) if program.stays_home => Ok(()),
            McpAt::Program(_) => {
                let story = now.story.as_ref().map_or_else(|| "the story".to_owned(), ToString::to_string);
                Err(Withheld::Program { story, setting: server.settings.setting.clone() }.into())
            }
        }
    }

    /// Returns the state of each server, in the order of the configuration.
    pub async fn states(&self) -> Vec<McpState> {
        let offers = self.ask().await;
        let state = |(at, server): (usize, &Server)| {
            let found = match offers.servers.get(&at) {
                Some(offer) => Ok(offer.clone()),
                None => Err(offers.failed.get(&at).map(|(_, error)| error.clone())?),
            };
            Some(McpState { server: server.settings.name.clone(), found })
        };
        self.servers.iter().enumerate().filter_map(state).collect()
    }

    /// Asks the servers that were not asked yet, all at once, and gives their tools names.
    async fn ask(&self) -> tokio::sync::MutexGuard<'_, Offers> {
        let _asking = self.asking.lock().await;
        let open: Vec<usize> = {
            let offers = self.offers.lock().await;
            let rests = |at: &usize| offers.failed.get(at).is_some_and(|(since, _)| since.elapsed() < REST);
            let may = |at: &usize| self.servers.get(*at).is_some_and(|server| self.may_reach(server).is_ok());
            (0..self.servers.len()).filter(|at| may(at) && !rests(at) && !offers.servers.contains_key(at)).collect()
        };
        let asked = open.iter().filter_map(|at| self.servers.get(*at)).map(|server| async {
            let connection = self.connect(server).await?;
            listing::read(&connection).await
        });
        let answers = futures_util::future::join_all(asked).await;
        let mut offers = self.offers.lock().await;
        let mut new: Vec<Offer> = Vec::new();
        for (at, answer) in open.into_iter().zip(answers) {
            match answer {
                Ok((offer, tools)) => {
                    new.extend(tools.into_iter().map(|tool| Offer { server: at, own: tool.name.clone(), tool }));
                    offers.servers.insert(at, offer);
                }
                Err(error) => {
                    offers.failed.insert(at, (Instant::now(), error));
                }
            }
        }
        let name_of = |at: usize| self.servers.get(at).map_or("", |server| server.settings.name.as_str());
        let own: Vec<(&str, &str)> = new.iter().map(|offer| (name_of(offer.server), offer.own.as_str())).collect();
        let taken = self.taken.iter().chain(offers.tools.keys()).cloned().collect();
        let names = names::offered(&own, &taken);
        for (name, mut offer) in names.into_iter().zip(new) {
            offer.tool.name.clone_from(&name);
            if let Some(server) = offers.servers.get_mut(&offer.server) {
                server.tools.push(name.clone());
                server.asks.extend((offer.tool.effect == ToolEffect::Asks).then(|| name.clone()));
            }
            offers.tools.insert(name, offer);
        }
        for server in offers.servers.values_mut() {
            server.tools.sort();
            server.asks.sort();
        }
        offers
    }

    /// The server's connection; a new one if there is none or it has ended.
    async fn connect(&self, server: &Server) -> Result<Arc<Connection>, McpError> {
        let mut connection = server.connection.lock().await;
        if let Some(open) = connection.as_ref().filter(|connection| connection.is_open()) {
            return Ok(Arc::clone(open));
        }
        // The old program ends before the new one starts.
        *connection = None;
        let opened = Arc::new(Connection::open(&server.settings, &self.around).await?);
        *connection = Some(Arc::clone(&opened));
        Ok(opened)
    }
}

#[async_trait]
impl Toolbox for McpToolbox {
    async fn tools(&self, agent: Agent) -> Vec<Tool> {
        let offers = self.ask().await;
        let reaches =
            |offer: &&Offer| self.servers.get(offer.server).is_some_and(|server| self.may_reach(server).is_ok());
        let mut offered: Vec<&Offer> =
            offers.tools.values().filter(|offer| self.may(agent, offer)).filter(reaches).collect();
        offered.sort_by_key(|offer| offer.server);
        offered.into_iter().map(|offer| offer.tool.clone()).collect()
    }

    async fn call(&self, agent: Agent, call: &ToolCall) -> Result<ToolResult, ToolError> {
        let known = self.offers.lock().await.tools.get(&call.name).cloned();
        let offer = match known {
            Some(offer) => Some(offer),
            // After a restart of this program, a conversation may go on with a call.
            None => self.ask().await.tools.get(&call.name).cloned(),
        };
        let offer = offer.filter(|offer| self.may(agent, offer));
        let server = offer.as_ref().and_then(|offer| self.servers.get(offer.server));
        let (Some(offer), Some(server)) = (offer, server) else {
            return Ok(ToolResult::failure(format!("There is no tool {}; call one that was named.", call.name)));
        };
        let arguments = match call.arguments.trim() {
            "" => Ok(Value::Object(serde_json::Map::new())),
            text => serde_json::from_str(text),
        };
        if let Err(error) = self.may_reach(server) {
            return Ok(ToolResult::failure(error.to_string()));
        }
        let aliasing = Occasion::now().map_or_else(|| Aliasing::of(&[]), |now| Aliasing::of(&now.secrecy.aliases));
        let arguments = match arguments {
            Ok(Value::Object(arguments)) => hidden(arguments, &aliasing),
            Ok(_) => {
                return Ok(ToolResult::failure("The arguments are not a JSON object; call the tool again with one."));
            }
            Err(error) => {
                return Ok(ToolResult::failure(format!(
                    "The arguments are not JSON ({error}); call the tool again with a JSON object."
                )));
            }
        };
        let written = serde_json::to_vec(&arguments).unwrap_or_default();
        let noted = match &server.settings.at {
            McpAt::Program(_) => None,
            McpAt::Address(address) => match self.around.egress.admit(&address.endpoint, &written).await {
                Ok(noted) => Some(noted),
                Err(error) => return Ok(ToolResult::failure(error.to_string())),
            },
        };
        let connection = self.connect(server).await.map_err(|error| unanswered(call, server, error))?;
        let (limit, secrets) = (server.settings.longest_result, &self.around.secrets);
        let fetches = server.settings.sources.contains(&offer.own);
        // The address in the call is the address of the result, unless the answer has one.
        let asked = ["url", "uri"].iter().find_map(|name| arguments.get(*name)?.as_str()).map(str::to_owned);
        let params = CallToolRequestParams::new(offer.own).with_arguments(arguments);
        let answered = connection.call(params).await;
        if let Some(noted) = noted {
            let size = |answer: &CallToolResult| serde_json::to_vec(answer).map_or(0, |answer| answer.len() as u64);
            match &answered {
                Ok(answer) => noted.ended(size(answer), "answered"),
                Err(_) => noted.ended(0, "no answer"),
            }
        }
        match answered.map(|answer| restored(answer, &aliasing)) {
            Ok(answer) => {
                let mut result = answers::result(&answer, limit, secrets);
                if fetches && !result.failed {
                    let read_at = format!("{:.0}", self.clock.now());
                    result.found = answers::sources(&answer, asked.as_deref(), limit, secrets, &read_at);
                }
                Ok(result)
            }
            Err(Unanswered::Refused(why)) => Ok(ToolResult::failure(why)),
            Err(Unanswered::Broken(error)) if offer.tool.effect != ToolEffect::Reads => {
                let why = format!("the server {} failed during the call ({error})", server.settings.name);
                Ok(ToolResult::unknown(&call.name, &why))
            }
            Err(Unanswered::Broken(error)) => Err(unanswered(call, server, error)),
        }
    }
}

/// Arguments with labels in the place of names.
fn hidden(arguments: Map<String, Value>, aliasing: &Aliasing) -> Map<String, Value> {
    if aliasing.is_empty() {
        return arguments;
    }
    let mut value = Value::Object(arguments);
    each_text(&mut value, &|text| aliasing.hidden(text));
    match value {
        Value::Object(arguments) => arguments,
        _ => Map::new(),
    }
}

/// An answer with names in the place of labels. Text that is no JSON of the protocol stays as it is.
fn restored(answer: CallToolResult, aliasing: &Aliasing) -> CallToolResult {
    if aliasing.is_empty() {
        return answer;
    }
    let Ok(mut value) = serde_json::to_value(&answer) else { return answer };
    each_text(&mut value, &|text| aliasing.restored(text));
    serde_json::from_value(value).unwrap_or(answer)
}

/// A call without an answer, which may be made again.
fn unanswered(call: &ToolCall, server: &Server, error: McpError) -> ToolError {
    let tool = call.name.clone();
    match error {
        McpError::TimedOut { seconds, setting } => {
            ToolError::TimedOut { tool, seconds, setting: format!("{setting}.timeout_seconds") }
        }
        other => ToolError::Unreachable { tool, server: server.settings.name.clone(), detail: other.to_string() },
    }
}
