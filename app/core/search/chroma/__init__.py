"""Chroma, derived from the library file and kept in line with it."""
