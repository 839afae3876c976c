"""Decks of study material: making, checking, reviewing, exporting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.messages import add_texts
from app.features.feature import Feature
from app.features.study.commands import COMMANDS
from app.features.study.messages import TEXTS

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from app.core.answers.citations import GenerationEvent
    from app.core.answers.service import Asked
    from app.core.rag_system import RAGSystem
    from app.ui.shell.main_window import MainWindow

add_texts(TEXTS)


def _add_services(rag: RAGSystem) -> None:
    from app.features.study.service import StudyService

    study = StudyService(rag)
    study.join(rag.hooks)

    def write_hint(asked: Asked) -> AsyncGenerator[GenerationEvent, None]:
        from app.features.study.hints import HintWriter

        return HintWriter(rag).write(asked)

    rag.add("StudyService", lambda: study)
    rag.writers["hint"] = write_hint


def _add_to_window(window: MainWindow) -> None:
    from app.features.study.ui.window import add_study

    add_study(window)


STUDY = Feature(name="study", commands=COMMANDS, add_services=_add_services, add_to_window=_add_to_window)
