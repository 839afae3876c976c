"""The benchmarks must run; what they measure on a small input is not looked at."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from app.config.paths import resource_path
from tests.support.courses import KeptEmbedder, library, write_courses
from tests.support.format_samples import FOLDER
from tests.tools.benchmarks import (
    duplicates,
    first_start,
    formats,
    grading,
    grounding,
    hints,
    ingest,
    item_answers,
    large,
    long_lists,
    memory,
    page_marks,
    proof,
    question_sets,
    reingest,
    retrieval,
    search,
    shared_load,
    shared_recall,
    stalls,
    streaming,
)
from tests.tools.benchmarks.large_libraries import made_large
from tests.tools.benchmarks.libraries import made
from tests.tools.benchmarks.questions import Question, recall, within
from tests.tools.benchmarks.reference import CHUNK_SIZE, chunks_of
from tests.tools.benchmarks.window_process import start

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from app.core.rag_system import RAGSystem
    from tests.support.chroma_server import ChromaServer

pytestmark = pytest.mark.slow

QUESTION = Question("?", "exact", None, None, ((("a.txt", 10, 20),), (("a.txt", 15, 30),)))


def test_recall_is_the_share_of_characters() -> None:
    assert recall(QUESTION, [("a.txt", 0, 20)]) == 0.5
    assert recall(QUESTION, [("a.txt", 0, 20), ("a.txt", 5, 40)]) == 1
    assert recall(QUESTION, [("b.txt", 0, 50)]) == 0
    assert recall(QUESTION, within([("a.txt", 0, 20), ("a.txt", 20, 40)], 15)) == 0.25


def test_a_text_that_stands_twice_is_found_at_either_place() -> None:
    twice = Question("?", "exact", None, None, ((("a.txt", 10, 20), ("a.txt", 80, 90)),))
    assert recall(twice, [("a.txt", 80, 90)]) == 1
    assert recall(twice, [("a.txt", 15, 20), ("a.txt", 80, 82)]) == 0.5


def test_a_place_is_found_by_any_text_from_there() -> None:
    place = Question("?", "exact", None, None, ((("a.txt", 0, 9000),),), place_alone=True)
    assert recall(place, [("b.txt", 0, 50), ("a.txt", 70, 90)]) == 1
    assert recall(place, [("a.txt", 9000, 9100)]) == 0


def test_the_reference_cuts_what_is_there() -> None:
    file = resource_path("docs/courses") / "using_lectern.txt"
    text = file.read_text(encoding="utf-8")
    title, chunks = chunks_of(text)
    assert title
    assert max(len(chunk.text) for chunk in chunks) <= CHUNK_SIZE + len("Lesson 10 content: ")
    for chunk in chunks:
        assert " ".join(text[chunk.start : chunk.end].split()) in chunk.text
    starts = [chunk.start for chunk in chunks]
    assert starts == sorted(starts)
    assert {chunk.lesson for chunk in chunks} >= {0, 1}


def test_a_library_is_made_by_the_program_itself(tmp_path: Path, embedder: KeptEmbedder) -> None:
    folder = made(40, kept=tmp_path)
    with library(folder / "data", embedder, index=False) as rag:
        assert 20 <= rag.courses.counts().passages <= 80
        title = rag.courses.all()[0].title
        assert rag.search.retrieve("what is a vector?", title).hits
    server = search.Ours(folder / "data", tmp_path)
    taken = server.answer({"do": "ask", "question": "what is a vector?", "course": title})
    server.close()
    assert taken["ms"] > 0
    assert memory.compare(40, 5, kept=tmp_path, with_reference=False)["questions"] == 5


def test_a_big_library_is_made_of_rows_and_published(tmp_path: Path, chroma_server: ChromaServer) -> None:
    data = made_large(60, kept=tmp_path)
    asked = large.Ours(data)
    taken = asked.answer({"do": "ask", "question": "what is a vector?", "kind": "one_course", "number": 0})
    asked.close()
    assert taken["ms"] > 0

    shared_load.fill(chroma_server.url, data)
    search = {"readers": 2, "seconds": 0, "pause": 0}
    found = shared_load.Readers(chroma_server.url, 0).answer(search)
    assert (len(found["search"]), found["failed"]) == (2, [])


def test_ingest(tmp_path: Path) -> None:
    """Without the reference, whose model takes ten seconds to load."""
    read = ingest.compare(4, 1, tmp_path, with_reference=False)
    assert read["ours"]["own_passages"] > 0
    assert "ratio" not in read


def test_retrieval(embedder: KeptEmbedder) -> None:
    result = retrieval.compare(
        retrieval.OTHER_DOCUMENTS, [retrieval.OTHER_QUESTIONS], 4000, with_reference=False, with_slips=True
    )
    low, high = result["ours"]["all"]["interval"]
    assert low <= result["ours"]["all"]["recall"] <= high
    assert result["ours"]["german"]["questions"] > 0


def test_sets_become_one_table(tmp_path: Path) -> None:
    """A set in folders that asks for places, and one of files that asks for texts, in one run."""
    crafts = write_courses(tmp_path / "sets" / "crafts" / "docs" / "old")
    texts = tmp_path / "sets" / "texts" / "docs"
    texts.mkdir(parents=True)
    (crafts / "tides.txt").rename(texts / "tides.txt")
    rows = [
        {"question": "What is fed once a day?", "file": "old/bread.txt", "kind": "exercise"},
        {"question": "What was mixed with gum arabic?", "file": "old/ink.md", "kind": "definition"},
    ]
    place = [{"start_index": 0, "end_index": 600, "content": ""}]
    lines = [json.dumps({**row, "references": place}) for row in rows]
    (tmp_path / "sets" / "crafts" / "dev.jsonl").write_text("\n".join(lines), encoding="utf-8")
    bulges = [{"start_index": 0, "end_index": 0, "content": "The moon pulls the ocean into two bulges."}]
    asked = {"question": "What pulls the ocean?", "file": "tides.txt", "references": bulges}
    (tmp_path / "sets" / "texts" / "dev.jsonl").write_text(json.dumps(asked), encoding="utf-8")

    table = question_sets.table(
        [tmp_path / "sets"], None, tmp_path / "kept", together=True, with_reference=False
    )

    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    assert cells[0] == ["set", "questions", "Lectern", "in one library"]
    assert [row[:2] for row in cells[2:]] == [
        ["crafts", "2"],
        ["crafts, first hit", "2"],
        ["– exercise", "1"],
        ["– exercise, first hit", "1"],
        ["– definition", "1"],
        ["– definition, first hit", "1"],
        ["texts", "1"],
    ]
    assert {cell for row in cells[2:] for cell in row[2:]} == {"100.0 [100.0, 100.0]"}

    (tmp_path / "kept" / "texts-ours" / "whole").unlink()  # as if it had been interrupted
    kept = question_sets.table(
        [tmp_path / "sets" / "texts"], None, tmp_path / "kept", together=False, with_reference=False
    )
    assert list(kept)[-1] == "| texts | 1 " + "| 100.0 [100.0, 100.0] " + "|"


def test_hints(rag: RAGSystem, stored_courses: tuple[Path, Path]) -> None:
    documents = stored_courses[0]
    asked = Question("What is a sourdough starter?", "exact", None, None, ((("bread.txt", 347, 424),),))
    counts = hints.measured(rag, documents.resolve(), [asked], show=False)
    assert counts == {"questions": 1, "right": 1, "right_first": 1, "hints": 3, "given_away": 0}


def test_a_set_is_searched_on_a_server(tmp_path: Path) -> None:
    write_courses(tmp_path / "crafts" / "docs")
    bulges = [{"start_index": 0, "end_index": 0, "content": "The moon pulls the ocean into two bulges."}]
    asked = {"question": "What pulls the ocean?", "file": "tides.txt", "references": bulges}
    (tmp_path / "crafts" / "dev.jsonl").write_text(json.dumps(asked), encoding="utf-8")
    *_, line = shared_recall.table([tmp_path / "crafts"], None, 1)
    assert line.startswith("| crafts, dev | 1 | 100.0 | 100.0 | 100.0 | 100.0 | 0, 0 | ")


def test_grounding(rag: RAGSystem) -> None:
    result = grounding.compare(rag, 10)
    assert result["hosted"]["along"]["requests"] == 10


def test_proof(embedder: KeptEmbedder) -> None:
    rows = list(proof.read_claims(proof.OWN_CLAIMS))
    for given in (True, False):
        result = proof.measure(rows, embedder, given=given)
        assert result["accepted"]["supported"]["of"] == 16
        assert {"number", "name", "negation"} <= set(result["caught"])
    assert proof.time_taken(rows, embedder)["p50_ms"] > 0
    assert next(proof.read_texts(resource_path("docs/courses")))[0] == "supported"


def test_grading(embedder: KeptEmbedder) -> None:
    rows: list[dict[str, Any]] = [
        {
            "question": "What is a starter?",
            "solution": "Wild yeast lives in flour and water. It is fed every 12 hours.",
            "paraphrase": "In flour with water there lives wild yeast, which gets food every 12 hours.",
            "short": "Wild yeast in flour and water",
            "has": [0],
        },
        {
            "question": "Why are there tides?",
            "solution": "The moon pulls the oceans into two bulges.",
            "paraphrase": "Two bulges of the oceans are pulled up by the moon.",
            "short": "The moon pulls the oceans.",
            "has": None,
        },
    ]
    result = grading.measure(rows, embedder)
    assert result["now"]["same"] == result["now"]["other"] == 1.0
    assert result["points"]["number"] == 1


def test_formats() -> None:
    found = {
        (row["format"], row["reference"]): row
        for row in formats.measure([FOLDER / "two columns.pdf", FOLDER / "slides.pptx"])
    }
    assert found["pdf", "pdfium"]["words"] == found["pptx", "markup"]["words"] == 100
    assert formats.compared("Salt and wa-\nter", "Water, salt") == {
        "words": 2,
        "words_read": 2,
        "pairs": 1,
        "pairs_read": 0,
        "lost": [],
    }
    assert formats.cells_found("| a | b |\n| c | |", [("a", "b"), ("c", "d")]) == (2, 4)


def test_reingest(tmp_path: Path, embedder: KeptEmbedder) -> None:
    result = reingest.compare(3, tmp_path)
    assert result["files"] == 3
    assert result["ours"]["passages_embedded"] in (1, 2)  # passages overlap, and the last may have been full


def test_streaming(qtbot: QtBot) -> None:
    assert streaming.compare(100)["ours"]["growth"] > 0


def test_start(data_dir: Path, tmp_path: Path) -> None:
    """The program as it is started by a user; the limits are far from the budgets."""
    found = start(data_dir, tmp_path, watch_seconds=0.2)
    assert 0 < found["painted"] < found["ready"] < 60
    assert not found["torch"]
    assert len(found["delays"]) > 5


def test_the_first_start_of_all() -> None:
    found = first_start.measure(ready_made=True)
    assert 0 < found["offered"] < found["ready"] < found["answered"] < 60


def test_the_window_under_load(qapp: QApplication, tmp_path: Path) -> None:
    phases = [name for name in stalls.PHASES if name not in ("start", "recognizing")]  # seconds of work
    result = stalls.compare(50, 20, 3, tmp_path, only=phases, made_up=True, hurry=10)
    assert set(result["ours"]) == set(phases)
    for name, found in result["ours"].items():
        assert found["heartbeats"] > 5, name
        assert found["p50_ms"] < 200, name


def test_places_on_pages() -> None:
    result = page_marks.measure((), 12)
    assert result["citations"] == 12


def test_long_lists(qapp: QApplication) -> None:
    result = long_lists.measure(80, 20, 80, 1)
    assert all(result[name] for name in ("sidebar", "deck", "palette"))


def test_answers_of_cards(embedder: KeptEmbedder) -> None:
    found = item_answers.measure(embedder)
    assert set(found["lectern"]) == set(found["reference"]) == {"in_other_words", "from_elsewhere"}


def test_repeated_questions_are_measured(embedder: KeptEmbedder) -> None:
    same = [["What is osmosis?", "Diffusion of water"], ["Define osmosis.", "Diffusion of water"]]
    found = duplicates.measure(embedder, [{"same": same, "different": [["What is an ion?", "An atom"]]}])
    assert found["with_answer"]["pairs"] == [1, 1]
