"""Widgets and helpers that several features use."""
