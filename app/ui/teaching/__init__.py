"""Which lessons teach what an exam asks, and course checks."""
