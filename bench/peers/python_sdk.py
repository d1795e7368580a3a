"""The Python SDK's client in the comparison.

Arguments: how often to discover, how many calls to make, then `http URL` or `stdio COMMAND ARGUMENT…`. Writes what each
took as one line of JSON.
"""

import asyncio
import json
import sys
from time import perf_counter

from mcp import Client
from mcp.client.stdio import StdioServerParameters

repeats, calls, kind, target, *arguments = sys.argv[1:]


def server():
    return target if kind == "http" else StdioServerParameters(command=target, args=arguments)


async def list_all(client):
    tools, cursor = [], None
    while True:
        page = await client.list_tools(cursor=cursor)
        tools.extend(page.tools)
        cursor = page.next_cursor
        if cursor is None:
            return tools


async def main():
    discover, call, tools = [], [], []
    for _ in range(int(repeats)):
        start = perf_counter()
        async with Client(server()) as client:
            tools = await list_all(client)
            discover.append((perf_counter() - start) * 1000)
    async with Client(server()) as client:
        for _ in range(int(calls)):
            start = perf_counter()
            await client.call_tool(tools[0].name, {"account_0": "a"})
            call.append((perf_counter() - start) * 1000)
    print(json.dumps({"tools": len(tools), "discoverMs": discover, "callMs": call}))


asyncio.run(main())
