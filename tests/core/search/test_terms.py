from __future__ import annotations

import threading

import numpy as np
import pytest

from app.core.search.terms import Terms, term_hashes


@pytest.fixture(scope="module")
def terms() -> Terms:
    return Terms()


def test_words_are_folded_and_stemmed(terms: Terms) -> None:
    found = terms.of_texts(["Caching caches", "CAFÉ"])
    assert found == [(0, "cach"), (0, "cach"), (1, "cafe")]


def test_common_words_of_a_question_are_left_out(terms: Terms) -> None:
    assert terms.of_question("What is the cache of a model?") == {"cach": ["cache"], "model": ["model"]}


def test_a_question_of_common_words_keeps_them(terms: Terms) -> None:
    assert set(terms.of_question("to be or not to be")) == {"to", "be", "or", "not"}


def test_words_of_one_stem_come_together(terms: Terms) -> None:
    assert terms.of_question("cached caching, cached") == {"cach": ["cached", "caching"]}


@pytest.mark.parametrize("question", ["", "  ", "?!", '"" AND ()', "🙂"])
def test_no_words(terms: Terms, question: str) -> None:
    assert "🙂" not in terms.of_question(question)
    assert all(word.isalpha() for words in terms.of_question(question).values() for word in words)


def test_from_several_threads(terms: Terms) -> None:
    results: list[list[tuple[int, str]]] = []
    threads = [
        threading.Thread(target=lambda: results.append(terms.of_texts(["one two three"] * 50)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    assert all(sorted(result) == sorted(results[0]) for result in results)


def test_a_terms_number_is_the_same_in_every_run() -> None:
    hashes = term_hashes(["cach", "model", ""])
    assert hashes.dtype == np.uint32
    assert hashes.tolist() == [1283192808, 3616895705, 0]
