"""Which lines of an exam or a list of goals are questions."""

from __future__ import annotations

import time

import pytest

from app.features.teaching.question_text import questions_in

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
        "9: A farmer notices that his plants wilt. What could be the reason?",
    ]


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
        ("1 - What is DNA?\n2 - What is RNA?\n3: Describe ATP", 3),
        ("What does a ribosome do? Explain in detail.\n\nWhy do cells divide?", 2),
        ("| Goal | Week |\n| Explain how cells divide | 1 |\n| Describe DNA | 2 |", 2),
        ("1. ATP is\na) sugar\nb) energy\n2. Osmose bezeichnet\na) Diffusion\nb) Transport", 2),
        ("1. State the function of\n (a) the nucleus\n (b) the ribosome", 2),
        ("1. Was ist ATP?\n\nLösungen\n1. Ein Energieträger.", 1),
        ("Q1. What?\nQ2. Why?\n\nAnswer key:\n1. A\n2. B\n", 2),
        ("# 1\n## Tasks\n1. Why?\n## Solutions\n### A\n1. So.\n# 2\n1. What is that?", 2),
        ("1. Which is it?\nAnswers:\na) this\nb) that\n2. And why?", 2),
    ],
)
def test_each_question_counts_once(text: str, expected: int) -> None:
    assert len(questions_in(text)) == expected, found(text)


MESSY = """\
University of Northfield
PSY 101: Midterm                                             Total: 50 marks

Instructions to candidates:
1. Write your name on the booklet.
2. Calculators are not permitted.

Question One
What is operant conditioning?                                    [3 marks]
Frage zwei (4 P.): Nenne zwei Verstärker.     /4
_________________________________________
Pregunta tres. Define «refuerzo». (2,5 puntos) Pregunta cuatro: ¿Qué es un estímulo?
END OF PART ONE

Psychology 101, Midterm                                    Page 1 of 2
5. What is an engram? 6. What did Ebbinghaus show on 7. October?
____ 7. Memory is stored in the
   A. cortex      B. liver
T  F  8. Sleep helps memory.
9. List two models.
   1. ___________
   2. ___________
10. Which model is the oldest? a. multi-store
b. working memory
11 ) explain forgetting

extra credit: what is priming
Total: ___ / 50 points
Good luck!
"""


def test_what_teachers_write_around_questions_is_none_of_them() -> None:
    assert found(MESSY) == [
        "1: What is operant conditioning?",
        "2: Nenne zwei Verstärker.",
        "3: Define «refuerzo».",
        "4: ¿Qué es un estímulo?",
        "5: What is an engram?",
        "6: What did Ebbinghaus show on 7. October?",
        "7: Memory is stored in the",
        "8: Sleep helps memory.",
        "9: List two models.",
        "10: Which model is the oldest?",
        "11: explain forgetting",
        "extra credit: what is priming",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. Cells\n  1. What are they?\n  2. Name two.\n2. DNA\n", ["1 1", "1 2", "2"]),
        (
            "| No | Task | Points |\n| 1a | Define DNA. | 2 |\n| 1b | Define RNA. | 2 |\n| | Sum | 4 |",
            ["1 a", "1 b"],
        ),
        ("| 3. (a) What is heat? (b) Why does it flow? | /6 |", ["3 a", "3 b"]),
        ("LO1  Apply Mendel's laws.\nLO2: Draw a square.\n\nReading\n- Chapter 3", ["1", "2"]),
        ("# Goals\n- name cells\n- draw one\n# Assessment\n- exam (80 %)\n- essay", ["", ""]),
        ("Unit assessment\n1. Define osmosis.\n2. Explain diffusion.", ["1", "2"]),
        ("1. Aufgabe: Was ist Masse?\n2. Aufgabe\nErkläre Trägheit.", ["1", "2"]),
        ("- [ ] name cells\n- [x] draw one", ["", ""]),
        ("Exercise 4.2 (Limits)\nState the limit of\n(i) x\n(ii) x^2", ["4.2 i", "4.2 ii"]),
        ("1. Match each term with its meaning.\n a) osmosis\n b) lysis\n2. Why?", ["1", "2"]),
        ("1. Was ist wahr? ( ) Masse\n( ) Gewicht\n2. Warum?", ["1", "2"]),
        ("Exercise 1 (10 points). Let X be 3.\n (i) Find X. (ii) Find X + 1.", ["1 i", "1 ii"]),
        ("Nenne die Phasen der Mitose und sage, was in jeder\nPhase geschieht.\nWas ist ein Gen?", ["", ""]),
    ],
)
def test_labels_are_kept(text: str, expected: list[str]) -> None:
    assert [one.label for one in questions_in(text)] == expected, found(text)


def test_a_wrapped_question_is_one() -> None:
    text = (
        "Explain why cells divide and what happens when the control of the cell cycle is\nlost\nName causes"
    )
    assert [one.text for one in questions_in(text)] == [
        "Explain why cells divide and what happens when the control of the cell cycle is lost",
        "Name causes",
    ]


def test_a_section_is_no_part_of_the_question_before_it() -> None:
    text = "Section A (9 marks)\n1. Define osmosis.\nTeil B: Genetik\n2. Was ist ein Gen?\nPart 3\n3. Why?"
    assert found(text) == ["1: Define osmosis.", "2: Was ist ein Gen?", "3: Why?"]


def test_parts_carry_their_labels() -> None:
    assert found("2. Cells\n2.1 What is a cell?\n2.2 Where is DNA?\n i) In plants?") == [
        "2.1: Cells What is a cell?",
        "2.2: Cells Where is DNA?",
        "2.2 i: Cells Where is DNA? In plants?",
    ]


def test_numbers_are_words_also_with_letters_that_only_look_alike() -> None:
    assert found("Question ſix: What is DNA?") == ["6: What is DNA?"]
    assert found("Question f\u0131ve: What is DNA?") == [": What is DNA?"]  # a dotless i


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
