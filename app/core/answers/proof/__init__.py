"""Holds an answer against its sources: which sentences show each claim, and what does not agree."""
