// What can be pasted, for reading and copying; shorter ones show the shape where there is little room.

export const SHAPE_ONE = `{
  "docs": {
    "url": "https://…/mcp"
  }
}`;

export const SHAPE_MANY = `{
  "mcpServers": {
    "docs": {
      "url": "https://…/mcp"
    },
    "notes": {
      "command": "npx",
      "args": ["-y", "notes"]
    }
  }
}`;

export const EXAMPLE_HTTP = `{
  "docs": {
    "url": "https://docs.example.com/mcp",
    "headers": {
      "Authorization": "Bearer YOUR_TOKEN"
    }
  }
}`;

export const EXAMPLE_STDIO = `{
  "mcpServers": {
    "files": {
      "command": "npx",
      "args": ["-y", "@example/files", "/home/you/notes"],
      "env": { "LOG_LEVEL": "error" }
    }
  }
}`;

export const EXAMPLE_HTTP_MANY = `{
  "mcpServers": {
    "docs": {
      "url": "https://docs.example.com/mcp"
    },
    "tracker": {
      "type": "http",
      "url": "https://tracker.example.com/mcp",
      "headers": { "Authorization": "Bearer YOUR_TOKEN" }
    }
  }
}`;
