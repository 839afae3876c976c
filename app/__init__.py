"""Lectern: ask your course material, and see where every answer comes from."""

__version__ = "0.1.0"
