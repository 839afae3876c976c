"""Reader of plain text, and its encodings."""
