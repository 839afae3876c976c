"""The commands that say what of an exam is taught, and whether questions still find their passages."""

import argparse
from collections.abc import Iterator
from typing import Any, TypeVar

from app.cli.arguments import EXIT_ERROR, EXIT_OK
from app.cli.interruptions import TOKEN
from app.cli.output import fields, hit_json, note, print_json, say
from app.core.rag_system import RAGSystem
from app.core.search.exam_map import map_exam
from app.domain.exam_map import MappedLesson, MappedQuestion, QuestionMap, QuestionProgress
from app.domain.messages import Message
from app.features.teaching.model import CheckedPassage, CheckReport
from app.features.teaching.reports import excerpt, lesson_words, write_report
from app.features.teaching.service import TeachingService

_Event = TypeVar("_Event")
_QUESTIONS = 25  # between two lines of progress


def map_questions(rag: RAGSystem, arguments: argparse.Namespace) -> None:
    rag.prepare_model(TOKEN, note)
    events = _noted(map_exam(rag.search, arguments.file.absolute(), arguments.course, TOKEN))
    found = next(event for event in events if isinstance(event, QuestionMap))
    for path in filter(None, (arguments.csv, arguments.markdown)):
        write_report(found, path.absolute(), is_markdown=path is arguments.markdown)
    if arguments.json:
        print_json(_map_json(found))
        return
    for question in found.questions:
        _print_question(question)
    name, count = arguments.file.name, len(found.questions)
    say(Message("teaching.count", taught=found.taught, questions=count, name=name))
    if found.unasked:
        say("")
        say(f"{Message('teaching.unasked')}:")
        for lesson in found.unasked:
            say(f"  {lesson_words(lesson)}")


def check(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    rag.prepare_model(TOKEN, note)
    events = _noted(rag.service(TeachingService).check(arguments.file.absolute(), TOKEN))
    report = next(event for event in events if isinstance(event, CheckReport))
    is_good = report.good == len(report.questions)
    if arguments.json:
        questions = [
            {"question": one.question, "found": one.is_good, "passages": [*map(_passage_json, one.passages)]}
            for one in report.questions
        ]
        print_json({"file": report.file, "good": report.good, "questions": questions})
    else:
        for one in report.questions:
            for passage in one.passages:
                if passage.problem:
                    say(one.question)
                    say(f"  “{excerpt(passage.quote)}” ({lesson_words(passage)})")
                    say(f"  {passage.problem}")
        say(Message("teaching.check_count", good=report.good, questions=len(report.questions)))
    return EXIT_OK if is_good else EXIT_ERROR


def _noted(events: Iterator[_Event]) -> Iterator[_Event]:
    """Say now and then how many questions are done, and pass the events on."""
    for event in events:
        if isinstance(event, QuestionProgress) and event.done % _QUESTIONS == 0:
            note(f"question {event.done + 1} of {event.total}")
        yield event


def _print_question(mapped: MappedQuestion) -> None:
    say(f"{mapped.question.label}  {mapped.question.text}".strip())
    if not mapped.is_taught:
        say(f"  {Message('teaching.not_in_material')}")
        if mapped.lessons:
            say(f"  {Message('teaching.nearest')}:")
    for lesson in mapped.lessons:
        hit = lesson.passages[0]
        say(f"  {lesson_words(lesson)}")
        say(f"    {hit.path}: “{excerpt(hit.text)}”")
    say("")


def _map_json(found: QuestionMap) -> dict[str, Any]:
    questions = [
        {
            **fields(mapped.question, "label", "text"),
            "taught": mapped.is_taught,
            "lessons": [_lesson_json(lesson) for lesson in mapped.lessons],
        }
        for mapped in found.questions
    ]
    unasked = [fields(lesson, "course_title", "number", "title") for lesson in found.unasked]
    return {"file": found.file, "taught": found.taught, "questions": questions, "unasked": unasked}


def _lesson_json(lesson: MappedLesson) -> dict[str, Any]:
    passages = [hit_json(hit) for hit in lesson.passages]
    return {**fields(lesson, "course_title", "number", "title"), "passages": passages}


def _passage_json(passage: CheckedPassage) -> dict[str, Any]:
    names = ("quote", "course_title", "number", "title", "problem")
    return {**fields(passage, *names), "hit": hit_json(passage.hit) if passage.hit else None}
