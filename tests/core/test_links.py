"""A link leads to its sentence, also after the text has moved, and nowhere else."""

from __future__ import annotations

import shutil
import time
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from app.domain.cancel import CancelToken
from app.domain.errors import UserError
from app.domain.links import link_to, link_to_lesson
from tests.support.courses import TIDES, ingest

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from app.domain.search import SearchHit
    from app.domain.sources import Source

MOON = "The moon pulls the ocean into two bulges."


def found(rag: RAGSystem, query: str = "the moon pulls the ocean") -> Source:
    hit: SearchHit = rag.search.retrieve(query).hits[0]
    return rag.search.make_source(1, hit)


def link_to_moon(rag: RAGSystem) -> str:
    source = found(rag)
    at = source.hit.start + source.hit.text.index(MOON)
    return link_to(source, (at, at + len(MOON)))


@pytest.fixture
def course(tmp_path: Path, rag: RAGSystem) -> Path:
    """A folder of the test's own, read into the library in the place of the stored one."""
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "tides.txt").write_text(TIDES, encoding="utf-8")
    ingest(rag, folder, clear=True)
    return folder


def test_it_leads_to_its_sentence_in_its_lesson(rag: RAGSystem) -> None:
    place = rag.links.find(link_to_moon(rag))
    assert place.quote == MOON
    lesson = rag.search.lesson_text(place.source, (place.start, place.end))
    assert lesson.is_whole
    assert lesson.text[place.start - lesson.start : place.end - lesson.start] == MOON


def test_a_whole_passage_and_a_lesson(rag: RAGSystem) -> None:
    source = found(rag)
    place = rag.links.find(link_to(source))
    assert (place.start, place.end) == (source.hit.start, source.hit.end)
    beginning = rag.links.find(link_to_lesson("Tides and Currents", 2, ""))
    assert beginning.source.hit.lesson_title == "Spring tides and neap tides"
    assert beginning.start == beginning.end


def test_it_follows_a_sentence_that_moved(rag: RAGSystem, course: Path) -> None:
    link = link_to_moon(rag)
    text = TIDES.replace(
        "Lesson 1:", "Lesson 0: Before\nThe sea is never at rest, as sailors know.\n\nLesson 1:"
    )
    (course / "tides.txt").write_text(text, encoding="utf-8")
    ingest(rag, course)
    assert rag.links.find(link).quote == MOON
    text = text.replace("The sea is never", "The sea is hardly ever")
    (course / "tides.txt").write_text(text, encoding="utf-8")
    (course / "tides.txt").rename(course / "renamed.txt")
    ingest(rag, course)
    assert rag.links.find(link).quote == MOON
    assert rag.links.find(link).source.hit.path.endswith("renamed.txt")


def test_it_leads_to_the_same_file_of_another_library(rag: RAGSystem, course: Path, tmp_path: Path) -> None:
    link = link_to_moon(rag)
    other = tmp_path / "elsewhere" / "copied"
    other.mkdir(parents=True)
    shutil.copy(course / "tides.txt", other / "other name.txt")
    ingest(rag, other, clear=True)
    assert rag.links.find(link).quote == MOON


def test_what_is_gone_is_said_in_one_sentence(rag: RAGSystem, course: Path) -> None:
    link = link_to_moon(rag)
    (course / "tides.txt").write_text(TIDES.replace(MOON, "It is the moon that does it."), encoding="utf-8")
    ingest(rag, course)
    with pytest.raises(
        UserError, match=r"not in your library\. It is from the course “Tides and Currents”\.$"
    ):
        rag.links.find(link)
    rag.courses.remove_courses(["Tides and Currents"], CancelToken())
    with pytest.raises(UserError, match="not in your library"):
        rag.links.find(link)


@pytest.mark.parametrize(
    "link",
    [
        "lectern://read?name=tides.txt&at=0-5",  # without words, another content says nothing
        "lectern://read?name=tides.txt&words=" + quote('moon" OR "'),
        "lectern://read?name=%25&words=moon",
        "lectern://read?course=Tides%20and%20Currents&name=x&words=%22",
        "lectern://read?course=Tides%20and%20Currents&name=x&words=%3F%21",
        "lectern://read?course=Tides%20and%20Currents&name=x&words=NEAR(moon%20sun)%20-x*%5E",
        "lectern://read?file=0000000000000000&at=0-5",
        "lectern://lesson?course=Tides and Currents&number=99".replace(" ", "%20"),
        "lectern://lesson?course=No%20such",
        "lectern://read?course=Tides%20and%20Currents&name=x&at=999999-1000005&words=nowhere%20at%20all",
    ],
)
def test_what_leads_nowhere_leads_nowhere(rag: RAGSystem, link: str) -> None:
    with pytest.raises(UserError, match="not in your library"):
        rag.links.find(link)


def test_a_thousand_links_change_nothing(rag: RAGSystem) -> None:
    before = (
        rag.database.connection.execute("PRAGMA data_version").fetchone()[0],
        rag.database.connection.total_changes,
    )
    link, begun = link_to_moon(rag), time.thread_time()
    for _ in range(1000):
        rag.links.find(link)
    assert time.thread_time() - begun < 20
    after = (
        rag.database.connection.execute("PRAGMA data_version").fetchone()[0],
        rag.database.connection.total_changes,
    )
    assert after == before
