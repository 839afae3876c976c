"""The embedding model: finding, exporting, running and switching it."""
