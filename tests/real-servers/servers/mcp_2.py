"""A server on the official Python SDK, version 2."""

from importlib.metadata import version

from mcp.server.mcpserver import MCPServer
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from ready import run_if_stdio, serve

server = MCPServer("real-mcp-2")


@server.tool()
def echo_number(n: int) -> str:
    """Answers the number's digits."""
    return str(n)


@server.tool()
def shout(text: str) -> str:
    """Answers the text in upper case."""
    return text.upper()


run_if_stdio(server)
serve(
    server.streamable_http_app(),
    f"mcp {version('mcp')} (Python)",
    HANDSHAKE_PROTOCOL_VERSIONS,
    MODERN_PROTOCOL_VERSIONS,
)
