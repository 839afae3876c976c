"""Readers of text with signs for its structure: Markdown, notebooks, LaTeX, source code and others."""
