"""The pages of a document as they look."""
