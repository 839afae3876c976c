"""The file types that the window offers to add and to open."""

from app.core.documents.formats import FORMATS

COURSE_FILES = " ".join(f"*{ending}" for one in FORMATS for ending in one.endings)
"""Patterns of all readable files, as a file dialog expects them."""
