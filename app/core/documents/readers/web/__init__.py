"""Readers of web pages and EPUB books."""
