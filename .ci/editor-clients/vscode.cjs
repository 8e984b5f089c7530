// The client library of VS Code: opens a draft, changes it bit by bit, cancels, takes the fix, shuts the server down.
const { spawn } = require('node:child_process');
const { readFileSync } = require('node:fs');
const { pathToFileURL } = require('node:url');
const path = require('node:path');
const rpc = require('vscode-jsonrpc/node');
const lsp = require('vscode-languageserver-protocol');

const server = spawn(process.env.COPYDESK, ['lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
const connection = rpc.createMessageConnection(new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin));
const uri = pathToFileURL(path.resolve('draft.md')).href;
let told = { version: 0, diagnostics: [] };
connection.onNotification(lsp.PublishDiagnosticsNotification.type, (params) => { told = params; });
connection.listen();

const figures = () => told.diagnostics.filter((one) => String(one.code).includes('number'));
const until = async (what, check) => {
  for (let i = 0; i < 1200; i++) {
    if (check()) return;
    await new Promise((next) => setTimeout(next, 50));
  }
  throw new Error(`waited in vain for ${what}: ${JSON.stringify(told)}`);
};
const change = (version, contentChanges) =>
  connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, { textDocument: { uri, version }, contentChanges });

(async () => {
  const hello = await connection.sendRequest(lsp.InitializeRequest.type, { processId: process.pid, rootUri: null, capabilities: {} });
  if (hello.capabilities.textDocumentSync !== lsp.TextDocumentSyncKind.Incremental) throw new Error('changes alone are sent');
  await connection.sendNotification(lsp.InitializedNotification.type, {});
  let text = readFileSync('draft.md', 'utf8');
  await connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: 'markdown', version: 1, text } });
  const line = text.split('\n')[2];
  const at = line.indexOf('1.8');
  const range = (start, end) => ({ start: { line: 2, character: start }, end: { line: 2, character: end } });
  await change(2, [{ range: range(0, 0), text: '👩‍👩‍👧 e\u0301 ' }]);
  const moved = at + '👩‍👩‍👧 e\u0301 '.length;
  await change(3, [{ range: range(moved, moved + 1), text: '2' }]);
  await until('a finding', () => told.version === 3 && figures().length === 1);
  const found = figures()[0].range;
  if (found.start.character !== moved - 1) throw new Error(JSON.stringify(found));
  const cancelled = new rpc.CancellationTokenSource();
  const asked = connection.sendRequest(lsp.HoverRequest.type, { textDocument: { uri }, position: found.start }, cancelled.token);
  cancelled.cancel();
  await asked.catch((error) => { if (error.code !== lsp.LSPErrorCodes.RequestCancelled) throw error; });
  const actions = await connection.sendRequest(lsp.CodeActionRequest.type, { textDocument: { uri }, range: found, context: { diagnostics: [] } });
  const edit = actions[0].edit.changes[uri][0];
  await change(4, [{ range: edit.range, text: edit.newText }]);
  await until('the fix', () => told.version === 4 && figures().length === 0);
  await connection.sendRequest(lsp.ShutdownRequest.type);
  await connection.sendNotification(lsp.ExitNotification.type);
  const code = await new Promise((done) => server.on('exit', done));
  if (code !== 0) throw new Error(`exit code ${code}`);
})().then(() => process.exit(0), (error) => { console.error(error); process.exit(1); });
