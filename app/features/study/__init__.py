"""Decks of study material: making, checking, reviewing, exporting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.messages import add_texts
from app.features.feature import Feature
from app.features.study.commands import COMMANDS
from app.features.study.messages import TEXTS

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem

add_texts(TEXTS)


def _add_services(rag: RAGSystem) -> None:
    from app.features.study.service import StudyService

    study = StudyService(rag)
    rag.add(study)
    study.join(rag.hooks)


STUDY = Feature(name="study", commands=COMMANDS, add_services=_add_services)
