"""The exam map and course checks in the window."""
