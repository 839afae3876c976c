"""The saved conversations in the sidebar."""
