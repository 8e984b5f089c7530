"""Times `copydesk lsp` on 5 MB of sources: the first findings, twenty questions of each kind, and forty typed changes.

usage: latency.py PROGRAM DOCUMENT     a folder such as tests/newsroom/opened/utility-audit-reports
"""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

program, document = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
desk = pathlib.Path(tempfile.mkdtemp())
text, source, whole = (document / "article.md").read_text(), (document / "source.txt").read_text(), ""
for copy in range(1, 1 + 5_000_000 // len(source)):
    whole += source.replace("2,", f"{copy % 9 + 1},") + "\n\n"
(desk / "draft.sources").mkdir()
(desk / "draft.sources/notes.txt").write_text(whole)
(desk / "draft.md").write_text(text)
server = subprocess.Popen([program, "lsp", "--no-style"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=desk)


def send(method, params, number=None):
    message = {"jsonrpc": "2.0", "method": method, "params": params} | ({"id": number} if number else {})
    body = json.dumps(message).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    server.stdin.flush()


def read():
    length = 0
    while line := server.stdout.readline().strip():
        if line.startswith(b"Content-Length"):
            length = int(line.split()[1])
    return json.loads(server.stdout.read(length))


send("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 1)
read()
send("initialized", {})
uri = (desk / "draft.md").as_uri()
begun = time.monotonic()
send("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "markdown", "version": 1, "text": text}})
while not (found := read()["params"]["diagnostics"]):
    pass
print(f"first findings {time.monotonic() - begun:.2f} s ({len(found)})")
for kind in ("hover", "definition", "codeAction"):
    took = []
    for number in range(2, 22):
        asked = {"textDocument": {"uri": uri}, "position": found[0]["range"]["start"], "range": found[0]["range"], "context": {"diagnostics": []}}
        begun = time.monotonic()
        send(f"textDocument/{kind}", asked, number)
        while (answer := read()).get("id") != number:
            pass
        assert answer["result"]
        took.append(1000 * (time.monotonic() - begun))
    print(f"{kind}: median {statistics.median(took):.1f} ms, slowest {max(took):.1f} ms of {len(took)}")
line = next(at for at, line in enumerate(text.split("\n")) if at > 3 and len(line) > 100)
place = {"line": line, "character": 40}
took = []
for version in range(2, 42):
    begun = time.monotonic()
    change = {"range": {"start": place, "end": place}, "text": "9"}
    send("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]})
    while read().get("params", {}).get("version") != version:
        pass
    took.append(1000 * (time.monotonic() - begun))
    time.sleep(0.4)
print(f"a change: median {statistics.median(took):.1f} ms, slowest {max(took):.1f} ms of {len(took)}")
server.kill()
