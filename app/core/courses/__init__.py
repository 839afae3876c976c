"""Which course and lesson each file is."""
