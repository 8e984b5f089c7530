"""Passes requests on to an MCP server over HTTP, with its token. For clients that cannot send one. Prints its own address.

usage: with_token.py URL TOKEN_FILE
"""

import http.client
import http.server
import sys
from urllib.parse import urlsplit

target, token = urlsplit(sys.argv[1]), open(sys.argv[2]).read().strip()


class Passing(http.server.BaseHTTPRequestHandler):
    def pass_on(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name: value for name, value in self.headers.items() if name.lower() != "connection"}
        # Its own address stands for the server's; any other host is passed on as it is.
        if headers.get("Host") == f"127.0.0.1:{self.server.server_port}":
            headers["Host"] = target.netloc
        headers["Authorization"] = f"Bearer {token}"
        connection = http.client.HTTPConnection(target.hostname, target.port)
        connection.request(self.command, self.path, body, headers)
        answer = connection.getresponse()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("transfer-encoding", "connection", "date"):
                self.send_header(name, value)
        self.send_header("Connection", "close")
        self.end_headers()
        try:
            while chunk := answer.read1(65536):
                self.wfile.write(chunk)
                self.wfile.flush()
        except ConnectionError:
            pass  # The client has heard enough.

    do_GET = do_POST = do_DELETE = pass_on

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Passing)
print(f"http://127.0.0.1:{server.server_port}{target.path}", flush=True)
server.serve_forever()
