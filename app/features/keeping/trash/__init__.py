"""Removed courses and files: listed, restored, deleted for good."""
