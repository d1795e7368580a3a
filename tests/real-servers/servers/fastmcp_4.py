"""A server on FastMCP, the most used framework over the official Python SDK."""

from importlib.metadata import version

from fastmcp import FastMCP
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from ready import run_if_stdio, serve

server = FastMCP("real-fastmcp")


@server.tool
def echo_number(n: int) -> str:
    """Answers the number's digits."""
    return str(n)


@server.tool
def shout(text: str) -> str:
    """Answers the text in upper case."""
    return text.upper()


run_if_stdio(server)
serve(
    server.http_app(),
    f"fastmcp {version('fastmcp')} (Python)",
    HANDSHAKE_PROTOCOL_VERSIONS,
    MODERN_PROTOCOL_VERSIONS,
)
