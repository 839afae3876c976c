"""One reader per format, grouped by family."""
