"""A model whose cosines all lie close to 1 is searched as the default one is: both real."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.core.answers.proof.likeness import Likeness
from app.core.answers.proof.support import ALIKE_FROM
from app.core.embedding.model_files import find_model
from app.core.embedding.scale import PASSAGES, QUESTIONS, measured_scale
from app.domain.cancel import CancelToken
from app.domain.cosine_scale import IDENTITY
from app.domain.scope import Scope
from tests.support.courses import KeptEmbedder, library
from tests.support.narrow_model import make_narrow_model

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from app.core.rag_system import RAGSystem

    Vectors = tuple[NDArray[np.float32], NDArray[np.float32]]

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


def probes_of(embedder: KeptEmbedder) -> Vectors:
    questions = np.stack([embedder.embed_query(text) for text in QUESTIONS])
    return questions, embedder.embed_passages(PASSAGES, CancelToken())


def test_the_default_model_keeps_its_cosines(embedder: KeptEmbedder) -> None:
    assert embedder.scale == IDENTITY
    measured = measured_scale(*probes_of(embedder))
    assert measured == pytest.approx(IDENTITY, abs=0.01), "the stored mean and spread are of other probes"


def test_a_scale_undoes_what_was_done_to_all_cosines(embedder: KeptEmbedder) -> None:
    def squeezed(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.column_stack([vectors / 2, np.full(len(vectors), np.sqrt(0.75))])

    questions, passages = probes_of(embedder)
    squeezed_cosines = squeezed(questions) @ squeezed(passages).T
    scale = measured_scale(squeezed(questions), squeezed(passages))
    assert squeezed_cosines.min() > 0.65
    assert scale.of(squeezed_cosines) == pytest.approx(questions @ passages.T, abs=0.01)


def test_a_model_that_tells_nothing_apart_keeps_its_cosines() -> None:
    alike = np.ones((4, 1), np.float32)
    assert measured_scale(alike, alike) == IDENTITY


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
    assert likeness.of(claim, "When moon and sun stand in a line, tides are highest.") > ALIKE_FROM
    assert likeness.of(claim, "Sourdough rises for six hours before it is baked.") < 0.3
