"""The sources of an answer."""
