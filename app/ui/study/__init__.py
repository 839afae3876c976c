"""Studying: decks, their items, and what is made of them, in place of the chat."""
