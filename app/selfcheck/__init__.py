"""``lectern --selfcheck``: everything once, with sample files and a scripted model."""
