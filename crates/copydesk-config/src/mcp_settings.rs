//! Servers of the Model Context Protocol, as they are configured.

use std::{collections::BTreeMap, time::Duration};

use super::{Endpoint, Secret};
use copydesk_newsroom::Agent;

/// A server of the Model Context Protocol.
#[derive(Debug, Clone, PartialEq)]
pub struct McpServer {
    /// Letters, digits, `_` and `-`; no other server has it.
    pub name: String,
    /// The program to start, or the address to call.
    pub at: McpAt,
    /// The agents that may call its tools.
    pub agents: Vec<Agent>,
    /// The tools that may be called; empty: all that only read.
    pub tools: Vec<String>,
    /// The tools that may act without a person's consent.
    pub acts: Vec<String>,
    /// The tools whose texts are kept as sources, with their address.
    pub sources: Vec<String>,
    /// How long a start or a call may take.
    pub timeout: Duration,
    /// Most bytes of a result's text.
    pub longest_result: usize,
    /// The key of this server, such as `mcp.servers[0]`.
    pub setting: String,
}

/// How a server of tools is reached.
#[derive(Debug, Clone, PartialEq)]
pub enum McpAt {
    /// A program that is started and spoken to over its standard input and output.
    Program {
        /// A file, or a name that is looked up in the search path.
        command: String,
        args: Vec<String>,
        /// Its environment variables beside `PATH`, `HOME` and `LANG`.
        env: BTreeMap<String, Secret>,
        /// Whether the configuration says that it sends nothing to other machines.
        stays_home: bool,
    },
    /// An address that is spoken to over HTTP.
    Address {
        endpoint: Endpoint,
        /// The token that it asks for.
        bearer: Option<Secret>,
    },
}

impl McpServer {
    /// Its secrets.
    pub fn secrets(&self) -> impl Iterator<Item = &Secret> {
        let (env, bearer) = match &self.at {
            McpAt::Program { env, .. } => (Some(env.values()), None),
            McpAt::Address { bearer, .. } => (None, bearer.as_ref()),
        };
        env.into_iter().flatten().chain(bearer)
    }
}
