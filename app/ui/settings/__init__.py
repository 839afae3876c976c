"""The settings dialog and what it asks of the workers."""
