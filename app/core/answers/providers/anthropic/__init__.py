"""The Anthropic Messages protocol; nothing outside knows its wire format."""
