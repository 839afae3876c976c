"""The library window: files, trash, export and import."""
