"""The command palette: one field that finds commands, courses, lessons, chats and questions."""
