"""The tables of decks, items and reviews."""
