"""A scripted model behind LiteLLM's proxy for .ci/peers: two parallel calls of tools, then, once their results are there, an answer.

usage: upstream.py --host HOST --port PORT

It streams as OpenAI does (/v1/chat/completions) and as Anthropic does (/v1/messages), so that what is tried is what the proxy makes of each.
"""

import argparse
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CALLS = [
    ("call_a", "search_web", ['{"query":', ' "council"}']),
    ("call_b", "search_desk", ['{"query": "vo', 'te"}']),
]


def openai(messages):
    """The chunks of OpenAI's stream."""
    results = [m["content"] for m in messages if m["role"] == "tool"]

    def chunk(delta, reason=None):
        return {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m",
                "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}

    yield None, chunk({"role": "assistant", "content": None})
    if results:
        yield None, chunk({"content": f"{len(results)} results."})
        yield None, chunk({}, "stop")
    else:
        for index, (call, name, pieces) in enumerate(CALLS):
            first = {"id": call, "type": "function", "function": {"name": name, "arguments": ""}}
            yield None, chunk({"tool_calls": [{"index": index, **first}]})
            for piece in pieces:
                yield None, chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
        yield None, chunk({}, "tool_calls")
    yield None, "[DONE]"


def anthropic(messages):
    """The events of Anthropic's stream."""
    blocks = [b for m in messages if isinstance(m["content"], list) for b in m["content"]]
    results = [b for b in blocks if b["type"] == "tool_result"]
    message = {"id": "x", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": None,
               "stop_sequence": None, "usage": {"input_tokens": 40, "output_tokens": 1}}
    yield "message_start", {"message": message}
    if results:
        said = [({"type": "text", "text": ""}, [{"type": "text_delta", "text": f"{len(results)} results."}])]
    else:
        said = [({"type": "tool_use", "id": call, "name": name, "input": {}},
                 [{"type": "input_json_delta", "partial_json": piece} for piece in pieces])
                for call, name, pieces in CALLS]
    for index, (block, deltas) in enumerate(said):
        yield "content_block_start", {"index": index, "content_block": block}
        for delta in deltas:
            yield "content_block_delta", {"index": index, "delta": delta}
        yield "content_block_stop", {"index": index}
    reason = "end_turn" if results else "tool_use"
    yield "message_delta", {"delta": {"stop_reason": reason, "stop_sequence": None}, "usage": {"output_tokens": 9}}
    yield "message_stop", {}


class Upstream(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        events = anthropic if self.path.endswith("/messages") else openai
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for name, data in events(body["messages"]):
            if name:
                self.wfile.write(f"event: {name}\n".encode())
                data = {"type": name, **data}
            text = data if isinstance(data, str) else json.dumps(data)
            self.wfile.write(f"data: {text}\n\n".encode())


arguments = argparse.ArgumentParser()
arguments.add_argument("--host")
arguments.add_argument("--port", type=int)
given = arguments.parse_args()
ThreadingHTTPServer((given.host, given.port), Upstream).serve_forever()
