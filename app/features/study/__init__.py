"""Decks of study material: making, checking, reviewing, exporting."""

from app.features.feature import Feature
from app.features.study.commands import COMMANDS

STUDY = Feature(name="study", commands=COMMANDS)
