"""``lectern --selfcheck``: checks an installation with sample files and a scripted model."""
