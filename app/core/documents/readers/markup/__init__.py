"""Readers of text with signs for its structure: Markdown, notebooks."""
