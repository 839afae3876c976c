"""The command that searches."""

import argparse
import json
from pathlib import Path
from typing import Any

from app.cli.output import heading, hit_json, note, print_json, say, say_text
from app.core.rag_system import RAGSystem
from app.domain.cancel import CancelToken
from app.domain.errors import UserError
from app.domain.search import SearchResults


def search(rag: RAGSystem, arguments: argparse.Namespace) -> None:
    limits = {"limit": arguments.limit, "max_chars": arguments.max_chars}
    questions = None if arguments.questions is None else _read_questions(arguments.questions)
    rag.prepare_model(CancelToken(), note)
    if questions is not None:
        for question in questions:
            named = (question["question"], question.get("course_name"), question.get("lesson_number"))
            print_json({**question, **_results_json(rag.search.retrieve(*named, **limits))}, indent=None)
        return
    results = rag.search.retrieve(arguments.query, arguments.course, arguments.lesson, **limits)
    if arguments.json:
        print_json({"query": results.query, **_results_json(results)})
        return
    if results.message:
        say(results.message)
    for hit in results.hits:
        place = hit.path if hit.server else f"{hit.path}:{hit.start}"  # no file of this computer
        say(f"{hit.rank}. [{heading(hit)}] {place}")
        say_text(f"{hit.text}\n")


def _read_questions(path: Path) -> list[dict[str, Any]]:
    try:
        # Not splitlines(): JSON may contain characters that it takes for line ends.
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path} cannot be read ({error}).") from error
    return [_parse_question(line, f"Line {n} of {path}") for n, line in enumerate(lines, 1) if line.strip()]


def _parse_question(line: str, where: str) -> dict[str, Any]:
    try:
        question = json.loads(line)
    except (ValueError, RecursionError):
        question = None
    problem = ""
    if not isinstance(question, dict) or not isinstance(question.get("question"), str):
        problem = "is not a JSON object with a “question”"
    elif not isinstance(question.get("course_name"), str | None):
        problem = "has a “course_name” that is not text"
    elif type(question.get("lesson_number")) not in (int, type(None)):
        problem = "has a “lesson_number” that is not a whole number"
    if problem:
        raise UserError(f"{where} {problem}.")
    return dict(question)


def _results_json(results: SearchResults) -> dict[str, Any]:
    return {
        "course_title": results.course_title,
        "hits": [hit_json(hit) for hit in results.hits],
        "message": results.message,
        "covered": results.covered,
        "missing": results.missing,
    }
