"""Which lines of an exam or a list of goals are questions."""

from __future__ import annotations

import time

import pytest

from app.core.search.exam_questions import questions_in, searched_words

EXAM = """\
Biology exam
Name: ______   Date: ______
Answer all questions.

1. Which organelle makes most of a cell's
ATP? (2 points)
a) nucleus
b) mitochondrion
2) What is osmosis?
3. Photosynthesis.
 a) Where does it take place?
 b) Name its two stages.
4. Explain the following terms:
 - osmosis
 - diffusion
5 a) Define enzyme. b) What is a substrate?
Q6: Why is the sky blue? A) dust B) Rayleigh C) sea
Page 1 of 2
Frage 7: Was ist ein Gen?
Answer: B
8. The powerhouse of the cell is \\_\\_\\_\\_\\_.
 A. the nucleus
 B. the mitochondrion
9. A farmer notices that his plants wilt.

What could be the reason?
"""


def found(text: str) -> list[str]:
    return [f"{one.label}: {one.text}" for one in questions_in(text)]


def test_an_exam_becomes_its_questions() -> None:
    assert found(EXAM) == [
        "1: Which organelle makes most of a cell's ATP?",
        "2: What is osmosis?",
        "3 a: Photosynthesis. Where does it take place?",
        "3 b: Photosynthesis. Name its two stages.",
        "4: Explain the following terms: osmosis",
        "4: Explain the following terms: diffusion",
        "5 a: Define enzyme.",
        "5 b: What is a substrate?",
        "6: Why is the sky blue?",
        "7: Was ist ein Gen?",
        "8: The powerhouse of the cell is ____.",
        "9: A farmer notices that his plants wilt.",
        ": What could be the reason?",
    ]


def test_only_the_subject_is_searched_for() -> None:
    assert searched_words("Explain the following terms: osmosis") == "osmosis"
    assert searched_words("Briefly describe how ____ leave a cell.") == "how leave a cell"
    assert searched_words("Erläutern Sie kurz den Begriff Osmose") == "Osmose"
    assert searched_words("Statements about osmosis") == "Statements about osmosis"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Goals\n\nYou can:\n\n- name the phases of the cell\n  cycle\n- compare meiosis", 2),
        ("Understand enzymes\nDescribe osmosis", 2),
        ("The structure of cells\nThe cell cycle and its control\nInheritance after Mendel", 3),
        ("Was ist ein Gen?\n¿Qué es una célula?\nHow do cells divide?", 3),
        ("### Question 1\n\nWhat is a cell?\n\n### Question 2 (3 points)\nName two parts of a cell.", 2),
        ("## Part A\n\n## 1. What is DNA?\n\nA text follows here.", 1),
        ("Ejercicio 1. Explica la fotosíntesis\nEjercicio 2. ¿Qué es el ADN?", 2),
        ("Aufgabe 1: Erkläre Osmose.\nAufgabe 2: Nenne drei Enzyme.", 2),
        ("| No | Question |\n| 1 | What is ATP? |\n| 2 | Describe the Calvin cycle |", 2),
        ("1 What is a gene?\n2 What is a cell made of when it has\n12 chromosomes?\n3 Why do cells die?", 3),
        ("2. Cells\n2.1 What is a cell?\n2.2 Where is DNA?\n i) In plants?\n ii) In bacteria?", 4),
        ("Which of these is a lipid?\n- glucose\n- cholesterol", 1),
        ("1. What prints this?\n```\n2. no question?\n```\n", 1),
        ("Enzymes are proteins. They speed reactions up.\n\nThey work in cells. Most need warmth.", 0),
        ("# Only a heading", 0),
        ("1.- ¿Qué es la ósmosis?\n2.- Explique el ciclo de\nKrebs.\n3º) Enumera tres.\n4ª ¿Qué es?", 4),
        ("I. What is DNA?\nII. Describe mitosis.\nIII. What is ATP?\nIV. Name its phases.", 4),
        ("1.What is DNA?\n2.Was ist ATP?\nQ.3 Why?", 3),
        ("1. State the function of\n (a) the nucleus\n (b) the ribosome", 2),
        ("1. Was ist ATP?\n\nLösungen\n1. Ein Energieträger.", 1),
        ("Q1. What?\nQ2. Why?\n\nAnswer key:\n1. A\n2. B\n", 2),
    ],
)
def test_each_question_counts_once(text: str, expected: int) -> None:
    assert len(questions_in(text)) == expected, found(text)


def test_a_question_has_its_points_and_parts_share_those_of_the_whole() -> None:
    cells = "2. Cells (4 Punkte)\n a) Name two\n b) Draw one"
    text = f"1. What is ATP? (3 points)\n{cells}\n3. Why? [2,5 p.]\n4. How? (2 pages)"
    first = "\n5. (6 points) What is a cell?\nQuestion 6 [1 mark] Name it."
    found = questions_in(text + first)
    assert [one.points for one in found] == [3, 2, 2, 2.5, 0, 6, 1]
    assert [one.text for one in found[-2:]] == ["What is a cell?", "Name it."]


@pytest.mark.parametrize(
    "text",
    [
        "1. What?\n" + "a line that goes on\n" * 40_000,
        "1. What is it\n"
        + "a line that goes on\n" * 40
        + "\nA paragraph that is no question at all.\n" * 20_000,
        "".join(f"{' ' * depth}- goal\n" for depth in range(2_000)),
        "".join(f"{' ' * depth}1. goal\n" for depth in range(2_000)),
        "a) " * 60_000,
        "| 1 | What? |\n" * 20_000,
        "a  1. a? " * 60_000,
    ],
)
def test_a_hostile_file_takes_no_longer(text: str) -> None:
    began = time.thread_time()
    questions_in(text)
    assert time.thread_time() - began < 8  # minutes, if a line or the number of lines counted twice
