"""Text structure: sentences, headings, passages."""
