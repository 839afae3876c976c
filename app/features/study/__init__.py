"""Decks of study material: making, checking, reviewing, exporting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.feature import Feature
from app.features.study.commands import COMMANDS

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem


def _add_services(rag: RAGSystem) -> None:
    from app.features.study.service import StudyService

    study = StudyService(rag)
    rag.add(study)
    study.join(rag.hooks)


STUDY = Feature(name="study", commands=COMMANDS, add_services=_add_services)
