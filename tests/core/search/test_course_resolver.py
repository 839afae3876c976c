from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.core.search.named_places import resolve
from app.domain.cancel import CancelToken

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from app.domain.messages import Message
    from tests.support.courses import KeptEmbedder

    Resolver = Callable[[str, dict[str, NDArray[np.float32]]], tuple[tuple[str, ...], Message | None]]

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
def resolver(embedder: KeptEmbedder) -> Resolver:
    return lambda name, vectors: resolve(name, list(vectors), lambda: vectors, embedder.likeness_to)


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
    resolver: Resolver, titles: dict[str, NDArray[np.float32]], name: str, title: str
) -> None:
    found, message = resolver(name, titles)
    assert found == (title,)
    assert message is None


def test_the_model_is_not_asked_where_the_words_match(titles: dict[str, NDArray[np.float32]]) -> None:
    def unexpected(text: str, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        raise AssertionError(text)

    found, _ = resolve("writing", list(titles), lambda: titles, unexpected)
    assert found == ("The History of Writing",)


def test_an_exact_title_wins_over_longer_ones_that_contain_it(
    resolver: Resolver, titles: dict[str, NDArray[np.float32]], embedder: KeptEmbedder
) -> None:
    more = {**titles, "Statistics": embedder.embed_query("Statistics")}
    assert resolver("Statistics", more)[0] == ("Statistics",)
    assert resolver("statistics", more)[0] == ("Statistics",)


def test_a_name_that_fits_several_says_which(
    resolver: Resolver, titles: dict[str, NDArray[np.float32]]
) -> None:
    found, message = resolver("statistics", titles)
    assert found == ("Statistics for Beginners", "Advanced Statistics")
    assert str(message) == (
        "'statistics' fits several courses; searched all of them: "
        "Statistics for Beginners; Advanced Statistics."
    )


def test_a_name_by_its_meaning(resolver: Resolver, titles: dict[str, NDArray[np.float32]]) -> None:
    found, message = resolver("coffee houses of the Austrian capital", titles)
    assert found == ("Café Culture in Vienna",)


@pytest.mark.parametrize(
    "name", ["Underwater basket weaving", "Organic chemistry", "???", "the", "zzzz", "42"]
)
def test_a_name_that_matches_nothing_says_so_with_the_nearest(
    resolver: Resolver, titles: dict[str, NDArray[np.float32]], name: str
) -> None:
    found, message = resolver(name, titles)
    assert found == ()
    text = str(message)
    assert text.startswith(f"No course found matching '{name}'. Nearest: ")
    nearest = text.removeprefix(f"No course found matching '{name}'. Nearest: ").removesuffix(".").split("; ")
    assert len(nearest) == 3
    assert set(nearest) < set(TITLES)


def test_an_empty_library(resolver: Resolver) -> None:
    found, message = resolver("anything", {})
    assert found == ()
    assert str(message) == "No course found matching 'anything'. The library is empty."
