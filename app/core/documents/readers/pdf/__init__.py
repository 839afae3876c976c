"""The PDF reader and its page layout analysis."""
