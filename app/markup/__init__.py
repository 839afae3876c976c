"""Markdown to harmless HTML, with the marks of citations, for the window and for exports."""
