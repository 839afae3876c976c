"""What can be struck from the list in :mod:`app.main` with all that belongs to it."""
