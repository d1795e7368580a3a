"""A server on the official Python SDK, version 1."""

from importlib.metadata import version

from mcp.server.fastmcp import FastMCP
from mcp.shared.version import SUPPORTED_PROTOCOL_VERSIONS

from ready import run_if_stdio, serve

server = FastMCP("real-mcp-1", host="127.0.0.1")


@server.tool()
def echo_number(n: int) -> str:
    """Answers the number's digits."""
    return str(n)


@server.tool()
def shout(text: str) -> str:
    """Answers the text in upper case."""
    return text.upper()


run_if_stdio(server)
serve(server.streamable_http_app(), f"mcp {version('mcp')} (Python)", SUPPORTED_PROTOCOL_VERSIONS, [])
