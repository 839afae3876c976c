from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.core.search.course_resolver import CourseResolver
from app.domain.cancel import CancelToken

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tests.support.courses import KeptEmbedder

TITLES = [
    "How Retrieval-Augmented Generation Works",
    "Retrieval for Lawyers",
    "Statistics for Beginners",
    "Advanced Statistics",
    "The History of Writing",
    "Café Culture in Vienna",
    "C++ and C",
    "Building Towards Computer Use",
]


@pytest.fixture(scope="module")
def titles(embedder: KeptEmbedder) -> dict[str, NDArray[np.float32]]:
    return dict(zip(TITLES, embedder.embed_passages(TITLES, CancelToken()), strict=True))


@pytest.fixture
def resolver(embedder: KeptEmbedder) -> CourseResolver:
    return CourseResolver(embedder.embed_query)


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("The History of Writing", "The History of Writing"),
        ("the history of writing", "The History of Writing"),
        ("  HISTORY of Writing!  ", "The History of Writing"),
        ("how retrieval augmented generation works", "How Retrieval-Augmented Generation Works"),
        ("writing", "The History of Writing"),
        ("cafe culture", "Café Culture in Vienna"),
        ("CAFÉ", "Café Culture in Vienna"),
        ("vienna cafe", "Café Culture in Vienna"),
        ("stat begin", "Statistics for Beginners"),
        ("RAG", "How Retrieval-Augmented Generation Works"),
        ("hragw", "How Retrieval-Augmented Generation Works"),
        ("BTCU", "Building Towards Computer Use"),
    ],
)
def test_a_name_in_other_letters_a_part_or_initials(
    resolver: CourseResolver, titles: dict[str, NDArray[np.float32]], name: str, title: str
) -> None:
    resolution = resolver.resolve(name, list(titles), lambda: titles)
    assert resolution.titles == (title,)
    assert resolution.message is None


def test_the_model_is_not_asked_where_the_words_match(titles: dict[str, NDArray[np.float32]]) -> None:
    def unexpected(text: str) -> NDArray[np.float32]:
        raise AssertionError(text)

    resolver = CourseResolver(unexpected)
    assert resolver.resolve("writing", list(titles), lambda: titles).titles == ("The History of Writing",)


def test_an_exact_title_wins_over_longer_ones_that_contain_it(
    resolver: CourseResolver, titles: dict[str, NDArray[np.float32]], embedder: KeptEmbedder
) -> None:
    more = {**titles, "Statistics": embedder.embed_query("Statistics")}
    assert resolver.resolve("Statistics", list(more), lambda: more).titles == ("Statistics",)
    assert resolver.resolve("statistics", list(more), lambda: more).titles == ("Statistics",)


def test_a_name_that_fits_several_says_which(
    resolver: CourseResolver, titles: dict[str, NDArray[np.float32]]
) -> None:
    resolution = resolver.resolve("statistics", list(titles), lambda: titles)
    assert resolution.titles == ("Statistics for Beginners", "Advanced Statistics")
    assert str(resolution.message) == (
        "'statistics' fits several courses; searched all of them: "
        "Statistics for Beginners; Advanced Statistics."
    )


def test_a_name_by_its_meaning(resolver: CourseResolver, titles: dict[str, NDArray[np.float32]]) -> None:
    resolution = resolver.resolve("coffee houses of the Austrian capital", list(titles), lambda: titles)
    assert resolution.titles == ("Café Culture in Vienna",)


@pytest.mark.parametrize(
    "name", ["Underwater basket weaving", "Organic chemistry", "???", "the", "zzzz", "42"]
)
def test_a_name_that_matches_nothing_says_so_with_the_nearest(
    resolver: CourseResolver, titles: dict[str, NDArray[np.float32]], name: str
) -> None:
    resolution = resolver.resolve(name, list(titles), lambda: titles)
    assert resolution.titles == ()
    message = str(resolution.message)
    assert message.startswith(f"No course found matching '{name}'. Nearest: ")
    nearest = (
        message.removeprefix(f"No course found matching '{name}'. Nearest: ").removesuffix(".").split("; ")
    )
    assert len(nearest) == 3
    assert set(nearest) < set(TITLES)


def test_an_empty_library(resolver: CourseResolver) -> None:
    resolution = resolver.resolve("anything", [], dict)
    assert resolution.titles == ()
    assert str(resolution.message) == "No course found matching 'anything'. The library is empty."
