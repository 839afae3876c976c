from __future__ import annotations

import threading

import numpy as np
import pytest

from app.core.search.terms import content_terms, frequencies, question_terms, term_hashes, tokenize


def test_words_are_folded_and_stemmed() -> None:
    found = tokenize(["Caching caches", "CAFÉ"])
    assert found == [(0, "cach"), (0, "cach"), (1, "cafe")]


def test_a_term_counts_once_for_each_text_it_stands_in() -> None:
    assert frequencies(["Caching caches", "A cache", "CAFÉ"]) == {"cach": 2, "a": 1, "cafe": 1}
    assert frequencies([]) == {}


def test_common_words_of_a_question_are_left_out() -> None:
    assert question_terms("What is the cache of a model?") == {"cach": ["cache"], "model": ["model"]}


def test_a_question_of_common_words_keeps_them() -> None:
    assert set(question_terms("to be or not to be")) == {"to", "be", "or", "not"}


def test_words_of_one_stem_come_together() -> None:
    assert question_terms("cached caching, cached") == {"cach": ["cached", "caching"]}


@pytest.mark.parametrize("question", ["", "  ", "?!", '"" AND ()', "🙂"])
def test_no_words(question: str) -> None:
    assert "🙂" not in question_terms(question)
    assert all(word.isalpha() for words in question_terms(question).values() for word in words)


def test_forms_of_a_word_are_one_term_and_stop_words_none() -> None:
    assert content_terms("caching") == content_terms("cached") == content_terms("Caches") == {"cach"}
    assert content_terms("the and of it with") == set()
    assert content_terms("90 % of AI") == {"90", "ai"}


def test_scripts_without_spaces_are_compared_by_pairs_of_characters() -> None:
    assert content_terms("機械学習 model") == {"機械", "械学", "学習", "model"}
    assert content_terms("水") == {"水"}


def test_from_several_threads() -> None:
    results: list[list[tuple[int, str]]] = []
    threads = [
        threading.Thread(target=lambda: results.append(tokenize(["one two three"] * 50))) for _ in range(4)
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
