"""The MCP door: the tools and resources of one mind for MCP clients, over stdio or HTTP."""
