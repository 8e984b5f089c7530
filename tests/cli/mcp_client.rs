//! MCP servers: what `doctor` says of them, and what a build without MCP says.

use crate::support::newsroom::Newsroom;

/// A desk with two servers: a script that answers, and a program that is not there.
fn newsroom() -> Newsroom {
    Newsroom::with(|yaml| {
        yaml.replace(
            "  servers: null\n",
            r"  servers:
    - name: archive
      command: /bin/sh
      args: [archive.sh]
      env: {}
      stays_home: true
      agents: [reporter]
      tools: null
      acts: []
      timeout_seconds: 20
      longest_result_kb: 64
    - name: gone
      command: ./none
      args: []
      env: {}
      stays_home: true
      agents: [reporter]
      tools: null
      acts: []
      timeout_seconds: 20
      longest_result_kb: 64
",
        )
    })
}

#[cfg(all(feature = "mcp", unix))]
#[test]
fn the_doctor_says_what_each_server_offers_or_why_not() {
    const SCRIPT: &str = r#"
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $line in
    *server/discover*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown"}}\n' "$id" ;;
    *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"minutes","version":"1.2"}}}\n' "$id" ;;
    *tools/list*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"search","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},{"name":"post","inputSchema":{"type":"object"}}]}}\n' "$id" ;;
  esac
done
"#;
    let newsroom = newsroom();
    newsroom.write("archive.sh", SCRIPT.as_bytes());
    let done = newsroom.run(&["doctor"]);
    assert_eq!(done.code, 1, "{}", done.err);
    let fine = "fine   MCP server archive: minutes 1.2 (protocol 2025-11-25), 2 tools. Agents may call: search. They may not call: post\n";
    assert!(done.out.contains(fine), "{}", done.out);
    assert!(done.out.contains("TO DO  MCP server gone: ./none cannot be started ("), "{}", done.out);
    assert!(done.out.contains("); mcp.servers[1].command names it\n"), "{}", done.out);
}

#[cfg(not(feature = "mcp"))]
#[test]
fn a_build_without_mcp_refuses_a_configuration_with_servers() {
    let newsroom = newsroom();
    let why = "mcp.servers names a server, but this build of copydesk leaves MCP out: use a released binary, build with `--features mcp`, \
               or set mcp.servers to null";
    let refused = newsroom.run(&["list"]);
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(refused.err.contains(why), "{}", refused.err);
    let done = newsroom.run(&["doctor"]);
    assert!(done.out.contains(&format!("TO DO  MCP servers: {why}")), "{}", done.out);
}
