"""Saved conversations: storing, searching, autosaving, exporting as text, what they cost."""
