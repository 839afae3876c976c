"""Translations of one file: found by names, of which the user's is read, as one lesson."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.core.courses.left_out import find_translations
from app.domain.cancel import CancelToken
from app.domain.courses import Corrections
from tests.support.courses import ingest, last_report, library

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from tests.support.courses import KeptEmbedder

ENGLISH = "A fern has no seeds. It grows from spores, which the wind carries through the forest.\n"
GERMAN = "Ein Farn hat keine Samen. Er wächst aus Sporen, die der Wind durch den Wald trägt.\n"
SPANISH = "Un helecho no tiene semillas. Crece a partir de esporas que el viento lleva por el bosque.\n"


def left_out(names: Sequence[str], language: str) -> list[str]:
    found = find_translations([f"/c/{name}" for name in names], "/c", language)
    return sorted(path.removeprefix("/c/") for path, version in found.items() if version.read != path)


@pytest.mark.parametrize(
    ("names", "language", "others"),
    [
        (["README.md", "README.es.md", "README.zh-cn.md"], "en", ["README.es.md", "README.zh-cn.md"]),
        (["README.md", "README.es.md", "README.zh-cn.md"], "es", ["README.md", "README.zh-cn.md"]),
        (["a-en.pdf", "a-de.pdf"], "fr", ["a-de.pdf"]),
        (["a_de.pdf", "a.pdf"], "de", ["a.pdf"]),
        (["1/README.md", "translations/de/1/README.md"], "en", ["translations/de/1/README.md"]),
        (["1/README.md", "1/translations/README.ja.md"], "en", ["1/translations/README.ja.md"]),
        (
            ["docs/en/w1/1.md", "docs/fr/w1/1.md", "docs/fr/w1/2.md"],
            "en",
            ["docs/fr/w1/1.md", "docs/fr/w1/2.md"],
        ),
        (["docs/en/w1/1.md", "docs/en/w1/2.md", "docs/fr/w1/1.md"], "fr", ["docs/en/w1/1.md"]),
        (["docs/README.md", "docs/fr/README-FR.md"], "", ["docs/fr/README-FR.md"]),
        (["1.srt", "1.de.srt", "1.mp4.md"], "en", ["1.de.srt"]),
        # No translations: nothing that could be the original, or another format.
        (["cs/1.md", "it/1.md"], "en", []),
        (["de/1.md", "es/1.md"], "en", []),
        (["intro-to-it.md", "how-to-go.md"], "en", []),
        (["notes.md", "notes_de.pdf"], "en", []),
        # Subjects with a README like the folder around them.
        (["README.md", "ml/README.md", "ml/a.md", "cs/README.md", "cs/b.md", "cs/pl/c.md"], "en", []),
        (["README.md", "a.md", "it/README.md", "it/a.md"], "en", ["it/README.md", "it/a.md"]),
        # Mark schemes and slides.
        (["june.md", "june-ms.md", "lecture1.md", "lecture1_sl.md"], "en", []),
        (["lecture1_sl.md", "de/lecture1_sl.md"], "de", ["lecture1_sl.md"]),
        (["README.md", "README-pl.md", "a.md", "a.ms.md"], "en", ["README-pl.md", "a.ms.md"]),
    ],
)
def test_by_their_names(names: list[str], language: str, others: list[str]) -> None:
    assert left_out(names, language) == sorted(others)


def test_the_users_language_is_found_under_the_code_of_a_country() -> None:
    assert left_out(["1.md", "translations/cn/1.md", "ja/1.md"], "zh") == ["1.md", "ja/1.md"]


def test_a_page_that_is_not_translated_lies_with_those_that_are() -> None:
    files = ("en/w1/1.md", "en/w1/2.md", "de/w1/1.md", "de/w1/3.md")
    found = find_translations([f"/c/{name}" for name in files], "/c", "de")
    assert {path: (version.original, version.read) for path, version in found.items()} == {
        "/c/en/w1/1.md": ("/c/w1/1.md", "/c/de/w1/1.md"),
        "/c/en/w1/2.md": ("/c/w1/2.md", "/c/en/w1/2.md"),
        "/c/de/w1/1.md": ("/c/w1/1.md", "/c/de/w1/1.md"),
        "/c/de/w1/3.md": ("/c/w1/3.md", "/c/de/w1/3.md"),
    }
    # A folder of a course in English, or called so, is none of a language by itself.
    assert not find_translations(["/c/en/1.md", "/c/law/1.md"], "/c", "de")


@pytest.fixture
def rag(tmp_path: Path, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    with library(tmp_path / "library", embedder, index=False) as opened:
        yield opened


@pytest.fixture
def uni(tmp_path: Path) -> Path:
    """A course in English, all of it in Spanish and some of it in German."""
    folder = (tmp_path / "uni").resolve()
    for name, text in {
        "README.md": "# On ferns\n\n" + ENGLISH,
        "translations/es/README.md": "# Sobre los helechos\n\n" + SPANISH,
        "README.de.md": "# Über Farne\n\n" + GERMAN,
        "01-seeds/README.md": "# Without seeds\n\n" + ENGLISH,
        "translations/es/01-seeds/README.md": "# Sin semillas\n\n" + SPANISH,
        "02-woods/light.md": "# Little light\n\nFerns grow in the shade.\n",
        "02-woods/light_de.md": "# Wenig Licht\n\nFarne wachsen im Schatten der Bäume.\n",
        "translations/es/02-woods/light.md": "# Poca luz\n\nLos helechos crecen a la sombra.\n",
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def planned(rag: RAGSystem, folder: Path, corrections: Corrections | None = None) -> list[str]:
    """Return courses, lessons and the files they are read from."""
    plan = rag.ingest.plan([folder], CancelToken(), corrections)
    found = []
    for course in plan.courses:
        found.append(course.title)
        for file in course.files:
            number = "–" if file.lesson_number is None else file.lesson_number
            found.append(f"{number} {file.lesson_title} ({file.path.removeprefix(str(folder))[1:]})")
    return found


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (
            "en",
            [
                "On ferns",
                "– README (README.md)",
                "1 Without seeds (01-seeds/README.md)",
                "2 Little light (02-woods/light.md)",
            ],
        ),
        (
            "es",
            [
                "Sobre los helechos",
                "– README (translations/es/README.md)",
                "1 Sin semillas (translations/es/01-seeds/README.md)",
                "2 Poca luz (translations/es/02-woods/light.md)",
            ],
        ),
        (
            "de",
            [
                "Über Farne",
                "– README (README.de.md)",
                "1 Without seeds (01-seeds/README.md)",
                "2 Wenig Licht (02-woods/light_de.md)",
            ],
        ),
    ],
)
def test_the_users_language_is_read_without_the_code_in_numbers_and_titles(
    rag: RAGSystem, uni: Path, monkeypatch: pytest.MonkeyPatch, language: str, expected: list[str]
) -> None:
    monkeypatch.setenv("LANGUAGE", language)
    assert planned(rag, uni) == expected


def test_a_translation_read_as_well_is_in_the_same_lesson(
    rag: RAGSystem, uni: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "en")
    spanish = uni / "translations" / "es"
    wanted = [spanish / "README.md", spanish / "01-seeds" / "README.md", uni / "02-woods" / "light_de.md"]
    corrections = Corrections(taken_in=tuple(map(str, wanted)))
    last_report(rag.ingest.add_course_folder([uni], CancelToken(), corrections=corrections))
    (course,) = rag.courses.all()
    assert course.title == "On ferns"
    assert course.description == ENGLISH.strip()
    assert len(course.files) == 6
    lessons = [(None, "README"), (1, "Without seeds"), (2, "Little light")]
    assert [(lesson.number, lesson.title) for lesson in course.lessons] == lessons
    # Nothing moves when only a part of the folder is read, nor when it is read again.
    more = uni / "03-spores.md"
    more.write_text("Spores are finer than dust.\n", encoding="utf-8")
    for path in (more, uni):
        done = ingest(rag, path)
        assert {file.status for file in done.files} <= {"added", "unchanged", "skipped"}
        found = [(lesson.number, lesson.title) for lesson in rag.courses.all()[0].lessons]
        assert found == [*lessons, (3, "spores")]


def test_a_folder_of_translations_in_a_chosen_folder_is_none_of_its_own(
    rag: RAGSystem, uni: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "en")
    ingest(rag, uni)
    assert [file.status for file in ingest(rag, uni / "translations").files] == ["skipped"] * 3
    assert [course.title for course in rag.courses.all()] == ["On ferns"]
