"""Managing the library: files, trash, export and import."""
