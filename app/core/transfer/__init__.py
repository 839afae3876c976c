"""Exporting and importing a library."""
