"""Readers of text: encodings, notebooks."""
