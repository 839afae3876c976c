"""A link to a sentence of a course that is on a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.domain.errors import UserError
from app.domain.links import link_to, link_to_lesson
from tests.support.class_library import libraries_of
from tests.support.courses import library
from tests.support.publishing import publish

if TYPE_CHECKING:
    from pathlib import Path

    from app.domain.shared import ServerAddress
    from tests.support.courses import KeptEmbedder

MOON = "The moon pulls the ocean into two bulges."


def test_it_leads_there_from_either_library(
    data_dir: Path, tmp_path: Path, embedder: KeptEmbedder, chroma_database: ServerAddress
) -> None:
    with library(data_dir, embedder, index=False) as teacher:
        publish(teacher, chroma_database, "Tides and Currents")
        hit = teacher.search.retrieve("the moon pulls the ocean").hits[0]
        at = hit.start + hit.text.index(MOON)
        link = link_to(teacher.search.make_source(1, hit), (at, at + len(MOON)))
    with library(tmp_path / "mine", embedder, index=False) as student:
        with pytest.raises(UserError, match="not in your library"):
            student.links.find(link)
        libraries_of(student).subscribe(chroma_database)
        place = student.links.find(link)
        assert place.quote == MOON
        assert place.source.hit.document_id < 0
        assert MOON in student.search.lesson_text(place.source).text
        assert link_to(place.source, (place.start, place.end)) == link
        lesson = student.links.find(link_to_lesson("Tides and Currents", 2, ""))
        assert lesson.source.hit.lesson_title == "Spring tides and neap tides"
        with pytest.raises(UserError, match="not in your library"):
            student.links.find(link.replace("moon", "mood"))
