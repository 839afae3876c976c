"""The main window: layout, actions, theme."""
