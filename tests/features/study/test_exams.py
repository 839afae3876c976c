"""A practice exam asks what the paper asks, or says what the deck lacks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.core.search.exam_map import map_question
from app.domain.exam_map import AskedQuestion, QuestionMap
from app.domain.scope import only_course
from app.features.study.exams import ExamLesson, plan_exam
from app.features.study.model.names import ItemKind
from tests.support.study import BREAD_TITLE, SCALE, STARTER, item_on, study_of

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem


def test_a_card_of_another_lesson_does_not_stand_in_for_the_one_asked(rag: RAGSystem) -> None:
    repository = study_of(rag).repository
    deck = repository.deck_of(BREAD_TITLE)
    scale, starter = (item_on(rag, BREAD_TITLE, sentence) for sentence in (SCALE, STARTER))
    asked = AskedQuestion("1", "What is a sourdough starter, and what is proofing?")
    found = QuestionMap("", (map_question(rag.search, asked, only_course(BREAD_TITLE)),), ())
    repository.add(deck, [scale])
    planned = plan_exam(found, repository.items(), deck, "paper.txt", seed=1)
    assert (planned.exam.tasks, planned.lacking) == ((), {ExamLesson(1, "Sourdough starters"): 1})
    repository.add(deck, [starter])
    planned = plan_exam(found, repository.items(), deck, "paper.txt", seed=1)
    assert [task.lesson.number for task in planned.exam.tasks] == [1]
    assert not planned.lacking
    choice = item_on(rag, BREAD_TITLE, SCALE, ItemKind.CHOICE, "What matters?", "A scale", ("A stone",))
    repository.add(deck, [choice])
    lesson = map_question(rag.search, asked, only_course(BREAD_TITLE)).lessons[0]
    scales = AskedQuestion("1", "Which tool matters more than an expensive oven?", has_choices=True)
    (other,) = map_question(rag.search, scales, only_course(BREAD_TITLE)).lessons[:1]
    both = QuestionMap("", (replace(found.questions[0], question=scales, lessons=(lesson, other)),), ())
    planned = plan_exam(both, repository.items(), deck, "paper.txt", seed=1)
    assert [task.lesson.number for task in planned.exam.tasks] == [1], "not a choice of the second lesson"
