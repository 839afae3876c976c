"""Builds the downloads from the packaged program; not part of the running program."""
