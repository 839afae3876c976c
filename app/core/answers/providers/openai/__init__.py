"""OpenAI's chat completions, which most servers speak; nothing outside knows their wire format."""
