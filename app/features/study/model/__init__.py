"""Items, decks, reviews and what is asked of their making."""
