"""Which terms an author marks, and what is said of them."""

from __future__ import annotations

import pytest

from app.core.documents.text.definitions import definitions_in, unambiguous


@pytest.mark.parametrize(
    ("text", "language", "term", "said"),
    [
        ("**Osmosis**: the diffusion of water across a membrane", "en", "Osmosis", "the diffusion of"),
        ("- **Turgor:** the pressure of water inside a plant cell.", "en", "Turgor", "the pressure"),
        ("* *Lysis* – the bursting of a cell that took up water.", "en", "Lysis", "the bursting"),
        (
            "- **Turgor** (pressure): what the water\n  inside a plant cell presses with.",
            "en",
            "Turgor",
            "what",
        ),
        ("Osmosis\n: The diffusion of water across a membrane.", "en", "Osmosis", "The diffusion"),
        (
            "> **Definition (Scope)**:\n> The region of a program in which a name is bound.",
            "en",
            "Scope",
            "The",
        ),
        ("Definition 2.1 (Group). A set with an operation that has inverses.", "en", "Group", "A set"),
        ("**Definición.** Un **grafo** es un conjunto de nodos y de aristas.", "es", "grafo", "Un grafo"),
        ("- **Osmose**: die Diffusion von Wasser durch eine Membran", "de", "Osmose", "die Diffusion"),
        ("| `ls` | lists the files of a folder |", "en", "ls", "lists"),
        ("| Turgor | the pressure of water in a cell |", "en", "Turgor", "the pressure"),
        ("- **AND**: an operation that gives 1 if both bits are 1.", "en", "AND", "an operation"),
        (
            "The **cell membrane** regulates what enters and what leaves a cell.",
            "en",
            "cell membrane",
            "The cell",
        ),
        (
            "Un **montículo** es un árbol binario completo que guarda un orden.",
            "es",
            "montículo",
            "Un montículo",
        ),
    ],
)
def test_a_marked_term_is_found_with_what_is_said_of_it(
    text: str, language: str, term: str, said: str
) -> None:
    (found,) = definitions_in(f"# Cells\n\n{text}\n\nMore.\n", language)
    assert found.term == term
    assert found.said.startswith(said)
    assert f"# Cells\n\n{text}"[found.start : found.end] == text


@pytest.mark.parametrize(
    "text",
    [
        "Osmosis is the diffusion of water across a membrane of a cell.",
        "The diffusion of water across a membrane is called osmosis.",
        "**Note**: the diffusion of water is not meant by any of it.",
        "**This is not** what is meant by the diffusion of water in a cell.",
        "The **first** and the **second** law of motion are the same for everybody.",
        "**Fragments of code.** For each of these say what it does and how long it takes.",
        "1. **Counting**: go through the list and count each of its values.",
        "- **`find`**: goes from `head` to `tail` without a look at `nil`.",
        "- **Remove**: it need not check whether `node` is `head` or `tail`.",
        "| `insertBefore` | inserts a node before another one |",
        "| Term | What it means |\n|---|---|",
        "| A | B | three columns are no glossary |",
        "- **Red**: the nodes that were visited before all others.",
        "- **Calls**: the lines 6 and 7 call the function for both halves.",
        "- **Windows**: `C:\\Users` is where the files of a person lie.",
        "```\n**Osmosis**: the diffusion of water across a membrane\n```",
        "**Algebraic effects** take exactly this structure and make it plural and named.",
        "**Osmosis**: what are its causes in the cells of a plant?",
    ],
)
def test_what_is_no_marked_term_is_left_out(text: str) -> None:
    assert list(definitions_in(text, "en")) == []


def test_a_text_that_is_no_markdown_has_definitions_alone() -> None:
    text = "Definition (Group): a set with an operation.\n\n*Lysis* – the bursting of a cell in water."
    assert [one.term for one in definitions_in(text, "en", is_markdown=False)] == ["Group"]


def test_what_stands_before_several_texts_is_a_label() -> None:
    text = (
        "The **heap** is what lies below the stack and grows from there.\n\n"
        "- **Heap**: a tree whose root is its least node.\n\n"
        "- **Divide**: the list is cut in two halves.\n\n- **Divide**: a pivot is chosen among all.\n"
    )
    assert {one.said for one in unambiguous(definitions_in(text, "en"))} == {
        "a tree whose root is its least node."
    }
