"""Watching folders for changes."""
