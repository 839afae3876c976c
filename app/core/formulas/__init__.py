"""Sets formulas. Everything but ``service`` is private to this package."""
