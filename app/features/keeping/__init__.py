"""Trash, export and import of a library, and its examination."""
