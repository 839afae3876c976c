"""Plain data that every layer shares; imports nothing else of Lectern."""
