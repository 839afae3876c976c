"""A model whose cosines all lie close to 1 is searched as the default one is: both real."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.core.answers.likeness import Likeness
from app.core.embedding.model_files import find_model
from app.core.embedding.scale import (
    COSINES,
    DEFAULT_OWN_AND_NEAREST,
    calibration,
    measured_names,
    measured_scale,
    own_and_nearest,
)
from app.core.search.named_places import resolve
from app.domain.cancel import CancelToken
from app.domain.embedding_models import IDENTITY
from app.domain.scope import Scope
from tests.support.courses import KeptEmbedder, library
from tests.support.narrow_model import make_narrow_model

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from app.core.rag_system import RAGSystem

    Vectors = tuple[NDArray[np.float32], NDArray[np.float32]]

QUESTIONS, PASSAGES, NAMES, TITLES = calibration()

COVERED = ["What is a sourdough starter?", "Which pull makes the sea go up twice daily?"]
NOT_COVERED = [
    "How does photosynthesis turn light into sugar?",
    "How is rye malt prepared for Danish pumpernickel?",
]


@pytest.fixture(scope="module")
def narrow(model_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[KeptEmbedder]:
    place = tmp_path_factory.mktemp("narrow")
    embedder = KeptEmbedder(*make_narrow_model(place, find_model(None, model_cache).graph))
    embedder.prepare(CancelToken())
    yield embedder
    embedder.release()


@pytest.fixture(scope="module")
def narrow_rag(
    narrow: KeptEmbedder, stored_courses: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RAGSystem]:
    data_dir = Path(shutil.copytree(stored_courses[1], tmp_path_factory.mktemp("data") / "library"))
    with library(data_dir, narrow) as rag:
        list(rag.reindex.run(CancelToken()))
        yield rag


def vectors_of(embedder: KeptEmbedder, names: Sequence[str], titles: Sequence[str]) -> Vectors:
    return np.stack([embedder.embed_query(name) for name in names]), embedder.embed_passages(
        titles, CancelToken()
    )


def test_the_default_model_keeps_its_cosines(embedder: KeptEmbedder) -> None:
    assert embedder.scale == IDENTITY
    measured = measured_scale(*vectors_of(embedder, QUESTIONS, PASSAGES))
    assert measured == pytest.approx(IDENTITY, abs=0.01), "the stored mean and spread are of other probes"


def test_the_default_model_keeps_its_cosines_of_names(embedder: KeptEmbedder) -> None:
    names, titles = vectors_of(embedder, NAMES, TITLES)
    assert embedder.likeness_to(NAMES[0], titles) == pytest.approx(titles @ names[0])
    own, nearest = own_and_nearest(names @ titles.T)
    assert (own, nearest) == pytest.approx(DEFAULT_OWN_AND_NEAREST, abs=0.01), "stored of other names"


def test_a_scale_undoes_what_was_done_to_all_cosines(embedder: KeptEmbedder) -> None:
    def squeezed(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.column_stack([vectors / 2, np.full(len(vectors), np.sqrt(0.75))])

    questions, passages = vectors_of(embedder, QUESTIONS, PASSAGES)
    squeezed_cosines = squeezed(questions) @ squeezed(passages).T
    scale = measured_scale(squeezed(questions), squeezed(passages))
    assert squeezed_cosines.min() > 0.65
    assert scale.of(squeezed_cosines) == pytest.approx(questions @ passages.T, abs=0.01)


def test_a_model_that_tells_nothing_apart_keeps_its_cosines() -> None:
    alike = np.ones((4, 1), np.float32)
    assert measured_scale(alike, alike) == IDENTITY


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("making loaves in an oven", "Bread Baking at Home"),
        ("coffee houses of the Austrian capital", "Café Culture in Vienna"),
        ("how the body fights infections", "Immunology"),
        ("Tax law for farmers", None),
        ("Underwater basket weaving", None),
    ],
)
def test_names_are_told_apart_whatever_short_texts_have_in_common(
    embedder: KeptEmbedder, name: str, title: str | None
) -> None:
    """As with multilingual-e5-small, short texts are all alike, but otherwise than questions and passages."""

    def shifted(vectors: NDArray[np.float32], by: float) -> NDArray[np.float32]:
        more = np.column_stack([vectors, np.full(len(vectors), by), np.full(len(vectors), by / 2)])
        return np.asarray(more / np.linalg.norm(more, axis=1, keepdims=True), np.float32)

    courses = ["Soil and Plant Nutrition", "Bread Baking at Home", "Café Culture in Vienna", "Immunology"]
    names, titles = vectors_of(embedder, NAMES, TITLES)
    scale = measured_names(shifted(names, 2), shifted(titles, 1.5))
    asked, stored = vectors_of(embedder, [name], courses)
    by_title = dict(zip(courses, shifted(stored, 1.5), strict=True))
    found, _ = resolve(name, courses, lambda: by_title, lambda _, them: scale.of(shifted(asked, 2)[0], them))
    assert found == ((title,) if title else ())


def test_a_model_that_tells_no_names_apart_finds_none_by_meaning() -> None:
    alike = np.ones((4, 1), np.float32)
    assert not measured_names(alike, alike).of(alike[0], alike).any()
    assert COSINES.of(alike[0], alike).all()


def test_a_course_is_found_by_its_meaning_and_no_other_by_far(narrow_rag: RAGSystem) -> None:
    titles = [
        course if isinstance(course, str) else course.title
        for course in (
            narrow_rag.search.outline(name, Scope())
            for name in ("making loaves in an oven", "Underwater basket weaving", "tax law for farmers")
        )
    ]
    assert titles[0] == "Bread Baking at Home"
    assert titles[1].startswith("No course found matching 'Underwater basket weaving'")
    assert titles[2].startswith("No course found matching 'tax law for farmers'")


@pytest.mark.parametrize("question", [*COVERED, *NOT_COVERED])
def test_what_no_lesson_answers_is_flagged(narrow_rag: RAGSystem, question: str) -> None:
    assert narrow_rag.search.retrieve(question).covered is (question in COVERED)


def test_the_best_hit_and_its_score_are_nearly_those_of_the_default_model(
    narrow_rag: RAGSystem, rag: RAGSystem
) -> None:
    for question in ("sourdough starter", "lunar gravity and water levels"):
        expected = rag.search.retrieve(question).hits[0]
        found = narrow_rag.search.retrieve(question).hits[0]
        assert found.text == expected.text
        assert found.score == pytest.approx(expected.score, abs=0.1)


def test_a_claim_is_not_alike_to_whatever_is_cited(narrow: KeptEmbedder) -> None:
    likeness = Likeness(narrow)
    claim = "Spring tides come when the sun and the moon pull in one line."
    near = likeness.of(claim, "When moon and sun stand in a line, tides are highest.")
    far = likeness.of(claim, "Sourdough rises for six hours before it is baked.")
    assert near is not None
    assert far is not None
    assert near > 0.45 > 0.3 > far
