"""Recordings become text: what is said in them, and when."""
