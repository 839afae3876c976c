"""Chroma, derived from the library file and kept in sync with it."""
