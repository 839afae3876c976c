"""Gives decks away: to Anki, to tables, to Moodle, and as sheets to print."""
