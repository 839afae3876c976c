"""The plan of what reading a folder would do, for the user to correct."""
