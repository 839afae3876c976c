"""Readers of captions."""
