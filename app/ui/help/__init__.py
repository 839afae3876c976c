"""The Help menu: the user guide, the About dialog and the licences."""
