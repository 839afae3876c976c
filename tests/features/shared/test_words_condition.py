from __future__ import annotations

import re
from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.features.shared.connection import ServerConnection
from app.features.shared.patterns import words_condition
from app.features.shared.record import CONTENT, Record
from app.features.shared.records import collection_metadata

if TYPE_CHECKING:
    from app.domain.shared import ServerAddress


@pytest.mark.parametrize("has_accents", [False, True])
@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("unesco", "the UNESCO"),
        ("unesco", "Unesco’s list"),
        ("dreyfu", "of DREYFUS"),
        ("studi", "Studies"),
        ("studi", "a study"),
        ("theori", "THEORY"),
        ("file", "FILING"),
        ("qz8841", "a QZ8841."),
        ("llm", "LLMs"),
    ],
)
def test_words_are_found_in_the_usual_spellings_and_in_capitals(
    term: str, text: str, has_accents: bool
) -> None:
    assert _found([term], text, has_accents=has_accents)
    assert not _found([term], f"x{text.split()[-1]}", has_accents=has_accents)


def test_accents_are_found_in_capitals_too() -> None:
    assert _found(["offnet"], "ÖFFNET", has_accents=True)
    assert not _found(["offnet"], "ÖFFNET", has_accents=False)


def test_the_usual_spellings_come_first_where_there_is_little_room() -> None:
    terms = [f"{letter}valves" for letter in "abcdefghijklmnopqrst"]
    assert all(_found(terms, term, has_accents=False) for term in terms)
    assert _found(terms, "AVALVES", has_accents=False)
    assert not _found(terms, "TVALVES", has_accents=False)


def test_a_server_finds_them(chroma_database: ServerAddress) -> None:
    texts = ["The UNESCO listed it.", "Unesco’s list", "unescorted", "an ounce", "RÉSUMÉ"]
    with closing(ServerConnection(chroma_database)) as connection:
        connection.create(collection_metadata("model", 3))
        vector = np.ones(3, np.float32)
        connection.put(CONTENT, [Record(text, vector, text, {"n": 1}) for text in texts])
        for has_accents, expected in ((False, texts[:3]), (True, [*texts[:3], texts[4]])):
            words = words_condition(["unesco", "resum"], (), has_accents=has_accents)
            found = connection.query(CONTENT, vector, 10, words=words)
            assert sorted(one.id for one in found) == sorted(expected)


def _found(terms: list[str], text: str, *, has_accents: bool) -> bool:
    condition = words_condition(terms, (), has_accents=has_accents)
    assert condition is not None
    assert len(condition["$regex"]) <= 256
    return bool(re.search(condition["$regex"], text))
