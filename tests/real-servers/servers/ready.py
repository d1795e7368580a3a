"""Serves a real SDK's HTTP application on a free port of loopback, and says on one line of JSON where it is, which
SDK it is, and which protocol versions that SDK says it speaks by each of MCP's two ways to start."""

import json
import socket
import sys

import uvicorn


def run_if_stdio(server) -> None:
    """With the argument `--stdio` the server talks on standard input and output until the input ends."""
    if "--stdio" in sys.argv:
        server.run(transport="stdio")
        sys.exit()


def serve(app, sdk: str, initialize, discover) -> None:
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    # From here on a connection waits for the server instead of being refused.
    listener.listen()
    port = listener.getsockname()[1]
    ready = {
        "url": f"http://127.0.0.1:{port}/mcp",
        "sdk": sdk,
        "initialize": list(initialize),
        "discover": list(discover),
    }
    print(json.dumps(ready), flush=True)
    # An event stream that a client left open must not hold up the end of a test.
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)
    uvicorn.Server(config).run(sockets=[listener])
