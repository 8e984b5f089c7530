//! The doctor's lines on MCP servers.

use super::chart::Chart;
use crate::{cli::wiring::mcp, config::Settings};

const NAME: &str = "MCP servers";

/// Starts or calls each server once, and says what it offers.
pub(super) async fn servers(chart: &mut Chart, settings: &Settings) {
    if settings.mcp.is_empty() {
        chart.fine(NAME, "none (mcp.servers: null)");
    } else if let Err(error) = mcp::built_in(settings) {
        chart.open(NAME, error);
    } else {
        ask(chart, settings).await;
    }
}

#[cfg(not(feature = "mcp"))]
#[expect(clippy::unused_async, reason = "the same function as with the feature")]
async fn ask(_: &mut Chart, _: &Settings) {}

#[cfg(feature = "mcp")]
async fn ask(chart: &mut Chart, settings: &Settings) {
    use crate::{text::count, tools::mcp::McpState};

    let Some(toolbox) = mcp::toolbox(settings, std::collections::BTreeSet::new()) else { return };
    for McpState { server, found } in toolbox.states().await {
        let part = format!("MCP server {server}");
        let offer = match found {
            Ok(offer) => offer,
            Err(error) => {
                chart.open(&part, &error.to_string());
                continue;
            }
        };
        let more = if offer.too_many { ", of which only the first 64 are used" } else { "" };
        let tools = if offer.tools.is_empty() { "none".to_owned() } else { offer.tools.join(", ") };
        let asks = if offer.asks.is_empty() {
            String::new()
        } else {
            format!(". You are asked before each call of: {}", offer.asks.join(", "))
        };
        let others = if offer.others.is_empty() {
            String::new()
        } else {
            format!(". They may not call: {}", offer.others.join(", "))
        };
        let what = format!(
            "{} (protocol {}), {}{more}. Agents may call: {tools}{asks}{others}",
            offer.version,
            offer.protocol,
            count(offer.listed, "tool")
        );
        if !offer.missing.is_empty() {
            chart.open(
                &part,
                &format!("{what}. It lacks {}: take these out of `tools` and `acts`", offer.missing.join(", ")),
            );
        } else if !offer.unwieldy.is_empty() {
            chart.open(
                &part,
                &format!("{what}. Too large to be offered: {}; name the others in `tools`", offer.unwieldy.join(", ")),
            );
        } else if offer.tools.is_empty() {
            chart.open(
                &part,
                &format!("{what}. None of its tools says that it only reads; name those that may be called in `tools`"),
            );
        } else {
            chart.fine(&part, &what);
        }
    }
}
