"""Dialogs for libraries on servers."""
