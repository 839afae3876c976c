"""Trash, export and import of a library, and its examination."""

from app.features.feature import Feature
from app.features.keeping.commands import COMMANDS

KEEPING = Feature(name="keeping", commands=COMMANDS)
