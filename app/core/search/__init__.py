"""From questions to passages."""
