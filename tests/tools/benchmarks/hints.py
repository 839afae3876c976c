"""Do hints lead to the right place, and do they keep the answer to themselves?

``python -m tests.tools.benchmarks.hints --sets FOLDER … [--questions 50] [--keep FOLDER] [--show]`` asks for
all three hints on questions drawn from each set, and for a reply to a try with half of the answer, without a
model; see :mod:`tests.tools.benchmarks.question_sets` for the sets. Prints one JSON line:

- ``right``: percent of the first hints that name a right lesson; ``right_first``: as the first of two.
- ``given_away``: the hints that have at least half of the reference's content words that are not in the
  question. Where a question's reference is a whole lesson, it is the sentence picked from that lesson.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.answers.picking import pick_sentences
from app.core.search.terms import content_terms
from app.domain.events import AnswerDone
from app.domain.scope import Scope
from tests.tools.benchmarks.measuring import parser_of, print_result
from tests.tools.benchmarks.question_sets import filled
from tests.tools.benchmarks.questions import files_in, read_questions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.core.rag_system import RAGSystem
    from app.domain.conversations import Exchange
    from tests.tools.benchmarks.questions import Question

_SEED = 30
_SHARE = 0.5


async def hints(rag: RAGSystem, question: str) -> list[Exchange]:
    """Return the three hints."""
    given: list[Exchange] = []
    for step in (1, 2, 3):
        answer = rag.answers.query(question, None, kind=f"hint:{step}", before=tuple(given))
        async with aclosing(answer) as events:
            given += [event.exchange async for event in events if isinstance(event, AnswerDone)]
    return given


def reference_of(rag: RAGSystem, row: Question, lesson: tuple[str, int | None]) -> str:
    """Return the sentence that answers in the lesson where the answer is."""
    scope = Scope(lessons=(lesson,))
    hits = rag.search.retrieve(row.text, scope=scope).hits
    sources = [rag.search.make_source(n, hit) for n, hit in enumerate(hits, 1)]
    return pick_sentences(row.text, sources, rag.embedder, alone=True)[0].text


def gives_away(hint: str, question: str, reference: str) -> bool:
    wanted = content_terms(reference) - content_terms(question)
    return bool(wanted) and len(wanted & content_terms(hint)) >= _SHARE * len(wanted)


def measured(rag: RAGSystem, documents: Path, rows: Sequence[Question], *, show: bool) -> dict[str, int]:
    """Count over the questions of a set."""
    texts = {name: file.read_text("utf-8") for name, file in files_in(documents).items()}
    lessons = {
        Path(row["path"]).resolve(): (row["title"], row["number"])
        for row in rag.database.connection.execute(
            """SELECT d.path, c.title, l.number FROM documents AS d JOIN courses AS c ON c.id = d.course_id
               JOIN lessons AS l ON l.document_id = d.id"""
        )
    }
    counts = {"questions": len(rows), "right": 0, "right_first": 0, "hints": 0, "given_away": 0}
    for row in rows:
        given = asyncio.run(hints(rag, row.text))
        spots = [
            any(Path(one.hit.path) == documents / name for places in row.references for name, *_ in places)
            for one in given[0].sources
        ]
        counts["right"] += any(spots)
        counts["right_first"] += any(spots[:1])
        (name, start, end), *_ = row.references[0]
        reference = texts[name][start:end]
        if row.place_alone:
            reference = reference_of(rag, row, lessons[documents / name])
        away = [one for one in given if gives_away(one.answer, row.text, reference)]
        counts["hints"] += len(given)
        counts["given_away"] += len(away)
        if show:
            print(
                f"\n# {row.text}\n= {reference[:300]}\n{spots} {[one.kind for one in away]}", file=sys.stderr
            )
            for one in given:
                print(f"- {one.answer}", file=sys.stderr)
    return counts


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--sets", type=Path, nargs="+", required=True)
    parser.add_argument("--questions", type=int, default=50)
    parser.add_argument("--keep", type=Path, help="a folder in which libraries stay and are looked for")
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    chance = random.Random(_SEED)
    total: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as temporary:
        for at, each in enumerate(arguments.sets):
            documents = (each / "docs").resolve()
            rows = read_questions([each / "dev.jsonl"], documents)
            count = (arguments.questions + at) // len(arguments.sets)
            with filled((arguments.keep or Path(temporary)) / f"{each.name}-ours", None, each) as rag:
                of_set = measured(rag, documents, chance.sample(rows, count), show=arguments.show)
            total = {name: total.get(name, 0) + value for name, value in of_set.items()}
    for name in ("right", "right_first"):
        total[name] = round(100 * total[name] / total["questions"], 1)
    print_result(total)


if __name__ == "__main__":
    main()
