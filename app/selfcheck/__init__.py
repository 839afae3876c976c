"""``lectern --selfcheck``: checks an installation with the sample courses, without a model."""
