"""Watched folders: what lies there, what has changed, what is out of reach."""
