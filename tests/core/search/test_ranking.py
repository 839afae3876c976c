from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.core.search.pieces import HEADING_PIECE
from app.core.search.ranking import RankedPieces, StoredChunk, best_passages, best_text, rank

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from app.domain.search import Window

WORD = 7  # a term's hash


def chunk(
    key: int,
    texts: list[str],
    likeness: list[float],
    *,
    lesson: int = 1,
    start: int = 0,
    terms: tuple[tuple[int, int], ...] = (),
) -> StoredChunk:
    """A passage of pieces joined by spaces; each piece's cosine to :func:`question` is as given."""
    pieces = []
    position = start
    for text in texts:
        pieces.append((position, position + len(text)))
        position += len(text) + 1
    context = np.zeros((len(texts), 384), np.float32)
    context[:, 0] = likeness
    return StoredChunk(
        key,
        lesson,
        start,
        " ".join(texts),
        np.array(pieces, "<i4").tobytes(),
        np.array(terms, "<u4").tobytes(),
        context.ravel(),
    )


def question() -> NDArray[np.float32]:
    vector = np.zeros(384, np.float32)
    vector[0] = 1
    return vector


def ranked(*chunks: StoredChunk, weights: dict[int, float] | None = None) -> RankedPieces:
    return rank(chunks, question(), weights or {})


def texts_of(chunks: list[StoredChunk], windows: list[Window]) -> list[str]:
    by_key = {item.key: item for item in chunks}
    found = []
    for window in windows:
        item = by_key[window.key]
        found.append(item.text[window.start - item.start : window.end - item.start])
    return found


def test_without_words_the_cosine_decides() -> None:
    result = ranked(chunk(1, ["one", "two"], [0.2, 0.9]), chunk(2, ["three"], [0.5], lesson=2))
    assert result.score == pytest.approx([0.2, 0.9, 0.5], abs=1e-3)
    assert result.joined.tolist() == [True, False, False]


def test_words_of_the_question_lift_a_piece_and_a_little_those_near_it() -> None:
    plain = chunk(1, ["a" * 100, "b" * 100, "c" * 100], [0.3, 0.3, 0.3], terms=((1, WORD),))
    result = ranked(plain, weights={WORD: 2.0})
    before, here, after = result.coverage
    assert here == pytest.approx(1)
    assert 0 < before < after < 1
    assert np.argmax(result.score) == 1


def test_words_of_another_lesson_do_not_count() -> None:
    result = ranked(
        chunk(1, ["a" * 100], [0.3], terms=((0, WORD),)),
        chunk(2, ["b" * 100], [0.3], lesson=2),
        weights={WORD: 1.0},
    )
    assert result.coverage.tolist() == [1, 0]


def test_words_of_headings_that_an_earlier_version_stored_do_not_count() -> None:
    result = ranked(chunk(1, ["a", "b"], [0.3, 0.3], terms=((HEADING_PIECE, WORD),)), weights={WORD: 1.0})
    assert result.coverage.tolist() == [0, 0]


def test_words_of_the_passage_after_count_up_to_its_end() -> None:
    result = ranked(
        chunk(1, ["a" * 50], [0.3]),
        chunk(2, ["b" * 50], [0.0], start=60, terms=((0, WORD),)),
        weights={WORD: 1.0},
    )
    assert 0.5 < result.coverage[0] < result.coverage[1] == 1


def test_rare_words_count_more() -> None:
    result = ranked(
        chunk(1, ["a"], [0.3], terms=((0, 1),)),
        chunk(2, ["b"], [0.3], lesson=2, terms=((0, 2),)),
        weights={1: 5.0, 2: 1.0},
    )
    assert result.coverage == pytest.approx([5 / 6, 1 / 6])


def test_words_that_most_candidates_have_count_less() -> None:
    course, asked = 1, 2  # "chronicles", which all of a course is about, and "anime"
    others = [chunk(key, ["c"], [0.3], lesson=key, terms=((0, course),)) for key in range(3, 9)]
    result = ranked(
        chunk(1, ["a"], [0.3], lesson=1, terms=((0, course),)),
        chunk(2, ["b"], [0.3], lesson=2, terms=((0, asked),)),
        *others,
        weights={course: 1.5, asked: 1.0},
    )
    assert np.argmax(result.coverage) == 1
    assert result.coverage.min() > 0, "but they count"


def test_by_words_alone_where_vectors_are_of_another_model() -> None:
    result = rank(
        [chunk(1, ["a"], [0.9]), chunk(2, ["b"], [0.1], lesson=2, terms=((0, WORD),))], None, {WORD: 1.0}
    )
    assert np.argmax(result.score) == 1


class TestPassages:
    def test_grow_around_the_best_piece_within_the_size(self) -> None:
        pieces = [f"piece {n} " + "x" * 40 for n in range(10)]
        only = chunk(1, pieces, [0.1] * 5 + [0.9] + [0.1] * 4)
        (window, *_) = best_passages(ranked(only), 1, 160)
        (text,) = texts_of([only], [window])
        assert len(text) <= 160
        assert "piece 5" in text
        assert text.startswith("piece ")

    def test_do_not_overlap_and_are_at_most_as_many_as_asked(self) -> None:
        pieces = [f"piece {n} " + "x" * 40 for n in range(12)]
        result = ranked(chunk(1, pieces, np.linspace(0.1, 0.9, 12).tolist()))
        windows = best_passages(result, 3, 110)
        assert len(windows) == 3
        spans = sorted((window.start, window.end) for window in windows)
        assert all(first[1] <= second[0] for first, second in zip(spans, spans[1:], strict=False))
        assert [window.score for window in windows] == sorted((w.score for w in windows), reverse=True)

    def test_do_not_cross_a_lesson(self) -> None:
        one, two = chunk(1, ["a" * 20], [0.9]), chunk(2, ["b" * 20], [0.8], lesson=2, start=30)
        windows = best_passages(ranked(one, two), 5, 1000)
        assert [(window.key, window.start, window.end) for window in windows] == [(1, 0, 20), (2, 30, 50)]

    def test_do_not_join_passages_with_a_gap_between(self) -> None:
        one, two = chunk(1, ["a" * 20], [0.9]), chunk(5, ["b" * 20], [0.8], start=300)
        assert len(best_passages(ranked(one, two), 5, 1000)) == 2

    def test_join_passages_that_follow_each_other(self) -> None:
        one, two = chunk(1, ["a" * 20], [0.9]), chunk(2, ["b" * 20], [0.8], start=21)
        (window,) = best_passages(ranked(one, two), 5, 1000)
        assert (window.key, window.start, window.end) == (1, 0, 41)

    def test_the_same_text_is_shown_once(self) -> None:
        result = ranked(
            chunk(1, ["Same words"], [0.9]), chunk(2, ["same  WORDS".replace("  ", " ")], [0.8], lesson=2)
        )
        assert len(best_passages(result, 5, 1000)) == 1

    def test_two_versions_of_a_text_are_shown_once(self) -> None:
        """Subtitles are cut at other places than the PDF of the same lecture."""
        pdf = ["The moon pulls the ocean into two bulges, one on each side of the earth.", "Tides follow it."]
        subtitles = [
            "the moon pulls the ocean into two bulges",
            "one on each side of the earth Tides follow it",
        ]
        other = "Neap tides come a week after the spring tides, when sun and moon stand at right angles."
        result = ranked(
            chunk(1, pdf, [0.9, 0.8]),
            chunk(2, subtitles, [0.85, 0.7], lesson=2),
            chunk(3, [other], [0.1], lesson=3),
        )
        assert [window.key for window in best_passages(result, 5, 1000)] == [1, 3]
        assert [window.key for window in best_text(result, 5, 1000)] == [1, 3]

    def test_another_number_is_another_text(self) -> None:
        row = "| The pump of the second cooling circuit of hall {} | litres a minute | at most |"
        rows = [chunk(n, [row.format(n)], [0.9 - n / 10], lesson=n) for n in (1, 2)]
        assert len(best_passages(ranked(*rows), 5, 1000)) == 2

    def test_scores_lie_between_0_and_1(self) -> None:
        result = ranked(
            chunk(1, ["a"], [1.0], terms=((0, WORD),)), chunk(2, ["b"], [-1.0], lesson=2), weights={WORD: 1.0}
        )
        assert [window.score for window in best_passages(result, 5, 100)] == [pytest.approx(1), 0]


class TestText:
    @pytest.mark.parametrize("characters", [50, 120, 333, 600])
    def test_stays_within_the_characters(self, characters: int) -> None:
        pieces = [f"piece {n} " + "x" * 40 for n in range(20)]
        result = ranked(
            chunk(1, pieces, np.linspace(0.9, 0.1, 20).tolist()), chunk(2, pieces[:3], [0.5] * 3, lesson=2)
        )
        windows = best_text(result, 30, characters)
        assert windows
        assert sum(window.end - window.start for window in windows) <= characters

    def test_takes_the_best_first(self) -> None:
        result = ranked(chunk(1, ["low " + "x" * 40], [0.1]), chunk(2, ["high " + "y" * 40], [0.9], lesson=2))
        assert [window.key for window in best_text(result, 30, 60)] == [2]
        assert [window.key for window in best_text(result, 30, 600)] == [2, 1]
        assert [window.key for window in best_text(result, 1, 600)] == [2]

    def test_touching_pieces_become_one_window(self) -> None:
        result = ranked(chunk(1, ["a" * 30, "b" * 30, "c" * 30], [0.9, 0.8, 0.7]))
        (window,) = best_text(result, 30, 1000)
        assert (window.start, window.end) == (0, 92)

    def test_the_best_piece_brings_its_surroundings(self) -> None:
        lesson = chunk(1, [f"{n} " + "a" * 97 for n in range(20)], [0.1] * 10 + [0.6] + [0.1] * 9)
        others = [
            chunk(n, [f"{n} {m} " + "b" * 90 for m in range(9)], [0.5] * 9, lesson=n) for n in range(2, 9)
        ]
        first, *_ = best_text(ranked(lesson, *others), 30, 4000)
        assert first.start <= 1000 < first.end
        assert 400 < first.end - first.start <= 600

    def test_a_piece_that_answers_most_brings_its_surroundings(self) -> None:
        pieces = [f"{n} " + "x" * 90 for n in range(20)]
        alone = ranked(chunk(1, pieces, [0.5] * 20))
        covered = ranked(
            chunk(1, pieces, [0.5] * 10 + [0.6] + [0.5] * 9, terms=((10, WORD),)), weights={WORD: 1.0}
        )
        (window,) = best_text(covered, 1, 500)
        assert window.start <= 10 * 93 < window.end
        assert window.end - window.start > 300
        assert len(best_text(alone, 30, 500)) >= 1
