"""From files to passages."""
