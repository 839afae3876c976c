"""Which lessons teach what an exam asks; checks of a course."""
