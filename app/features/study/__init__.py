"""Decks of study material: making, checking, reviewing, exporting."""
