"""Recognition of text in pictures of pages."""
