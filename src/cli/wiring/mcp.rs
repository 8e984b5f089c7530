//! The tools of the MCP servers that the configuration names.

use crate::config::Settings;

/// Whether this build can use the configured servers; it always can if there are none.
///
/// # Errors
/// A message that says what to do if it cannot.
pub(crate) fn built_in(settings: &Settings) -> Result<(), &'static str> {
    if settings.mcp.is_empty() || cfg!(feature = "mcp") {
        return Ok(());
    }
    Err(
        "mcp.servers names a server, but this build of copydesk leaves MCP out: use a released binary, build with `--features mcp`, or set \
         mcp.servers to null",
    )
}

/// The tools of the configured servers. None of the servers is asked yet; without servers there are no tools. `taken`
/// has the names of the desk's other tools.
#[cfg(feature = "mcp")]
pub(crate) fn toolbox(
    settings: &Settings,
    taken: std::collections::BTreeSet<String>,
) -> Option<std::sync::Arc<crate::tools::mcp::McpToolbox>> {
    let toolbox = || {
        let (servers, secrets) = (settings.mcp.clone(), settings.secrets());
        let clock = std::sync::Arc::new(super::clock::SystemClock);
        crate::tools::mcp::McpToolbox::new(
            servers,
            secrets,
            settings.privacy.local_only,
            &settings.workspace,
            taken,
            clock,
        )
    };
    (!settings.mcp.is_empty()).then(|| std::sync::Arc::new(toolbox()))
}
