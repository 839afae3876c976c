"""Decks of study material: making, checking, reviewing, exporting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.feature import Feature
from app.features.study.commands import COMMANDS

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem


def _add_services(rag: RAGSystem) -> None:
    from app.features.study.transfer import copy_decks

    rag.hooks.copied.append(copy_decks)


STUDY = Feature(name="study", commands=COMMANDS, add_services=_add_services)
