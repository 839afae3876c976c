"""``lectern mcp``: the library for other assistants, by the Model Context Protocol."""
