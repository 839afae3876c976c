"""Courses, and how files are assigned to courses and lessons."""
