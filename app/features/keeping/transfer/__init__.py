"""Export and import of a library."""
