"""Asks a real small model: are its answers cited and right, does it refuse, and how long does it take?

``python -m tests.tools.benchmarks.small_model --server URL --model NAME [--questions 50] [--long] [--show]
[--courses FOLDER --asked FILE …]``

The server speaks the Messages protocol, as llama.cpp's does. Of ten questions seven are ones that the
sample courses answer, three that they do not: half of these from another subject, half near ones. With
``--courses``, the library holds these courses, too, and half of the questions that have an answer are
from the files ``--asked``. Behind every fifth one follows "Why is that?". Prints one JSON line:

- ``cited``: percent of the first seven that the model answers with a citation that was checked.
- ``right``: percent of them where its own words share half with the reference. Counted are content words that
  do not stand in the question, against the fewer of both, so that an answer may be shorter or longer than the
  reference.
- ``cited_or_quoted``, ``right_or_quoted``: likewise, with the passages that follow where it refuses, or none
  of them says what it wrote.
- ``refused``: percent of the other questions that are said not to be covered, by Lectern or the model.
- ``first_word_s``, ``end_s``: seconds, also of follow-ups.

``--long`` asks as large models are asked; ``--show`` prints all answers.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.config.paths import resource_path
from app.config.settings import Settings
from app.core.answers.proof.claims import says_not_covered
from app.core.search.terms import content_terms
from app.domain.events import AnswerDone, AnswerInterrupted, AnswerText
from app.domain.messages import Message
from tests.support.courses import ingest, library
from tests.tools.benchmarks.measuring import parser_of, prepared_embedder, print_result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.core.rag_system import RAGSystem
    from app.domain.conversations import Exchange

_DATA = Path(__file__).parents[2] / "data"
_FOLLOW_UP = "Why is that?"
_EVERY = 5
_SHARED = 0.5
_BESIDE = str(Message("answers.passages_beside"))  # before the passages that follow what none of them says


def questions_of(count: int, asked: Sequence[Path]) -> list[tuple[str, str]]:
    """Return questions with their references; those without one are not covered."""
    samples = _read(_DATA / "questions_samples.jsonl")
    answered = [row for row in samples if row["references"]]
    other = [row for file in asked for row in _read(file) if row["references"]]
    near = [row for row in samples if not row["references"]]
    far = [row for row in _read(_DATA / "questions_unanswerable.jsonl") if row["kind"] == "far"]
    wanted = round(0.7 * count)
    if other:
        answered = _spread(answered, wanted - wanted // 2) + _spread(other, wanted // 2)
    rest = count - wanted
    rows = [*_spread(answered, wanted), *_spread(near, rest // 2), *_spread(far, rest - rest // 2)]
    return [(row["question"], " ".join(one["content"] for one in row.get("references", ()))) for row in rows]


def _read(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def _spread(rows: list[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    """Return so many rows, from all parts of the list."""
    return [rows[at * len(rows) // count] for at in range(min(count, len(rows)))]


def is_right(question: str, reference: str, answer: str) -> bool:
    given, wanted = (content_terms(text) - content_terms(question) for text in (answer, reference))
    return len(given & wanted) >= _SHARED * max(1, min(len(given), len(wanted)))


def is_refusal(exchange: Exchange) -> bool:
    return (exchange.model is None and exchange.covered is False) or says_not_covered(exchange.answer)


async def ask_all(rag: RAGSystem, questions: Sequence[tuple[str, str]], *, show: bool) -> dict[str, Any]:
    """Ask every question in a chat of its own; return what is printed."""
    connection = rag.answers.connection("no-key")
    assert connection is not None
    seconds: defaultdict[str, list[float]] = defaultdict(list)
    counts: defaultdict[str, list[bool]] = defaultdict(list)

    async def ask(question: str, chat: int, kind: str) -> Exchange:
        began, first = time.perf_counter(), 0.0
        async for event in rag.answers.query(question, connection, conversation_id=chat):
            if isinstance(event, AnswerText) and not first:
                first = time.perf_counter() - began
            if isinstance(event, AnswerDone | AnswerInterrupted):
                exchange = event.exchange
        end = time.perf_counter() - began
        if exchange.model is not None:  # else it was not asked
            seconds[f"first_word_s{kind}"].append(first)
            seconds[f"end_s{kind}"].append(end)
        if show:
            cited = [one.source_n for one in exchange.citations if one.verified]
            times = f"{first:.1f} {end:.1f} s, {exchange.usage.prompt_tokens} tokens"
            by = exchange.model or "Lectern"
            print(f"\n# {question}\n{exchange.answer}\n{by}, cites {cited}, {times}", file=sys.stderr)
        return exchange

    for at, (question, reference) in enumerate(questions):
        chat = rag.conversations.create_session()
        exchange = await ask(question, chat, "")
        counts["answered"].append(bool(exchange.answer) and exchange.state == "done")
        if reference:
            by_model, shown = exchange.model is not None, exchange.answer
            own = shown.partition(_BESIDE)[0]
            cites = [one.answer_end for one in exchange.citations if one.verified]
            counts["cited"].append(by_model and any(end <= len(own) for end in cites))
            counts["right"].append(by_model and is_right(question, reference, own))
            covered = exchange.covered is not False
            counts["cited_or_quoted"].append(covered and bool(cites))
            either = counts["right"][-1] or is_right(question, reference, shown)
            counts["right_or_quoted"].append(covered and either)
            counts["refused_wrongly"].append(is_refusal(exchange))
            if show:
                print(f"{'right' if counts['right'][-1] else 'WRONG'}: {reference}", file=sys.stderr)
            if at % _EVERY == 0:
                await ask(_FOLLOW_UP, chat, "_follow_up")
        else:
            counts["refused"].append(is_refusal(exchange))
    await rag.answers.disconnect()
    percents = {name: round(100 * statistics.fmean(values), 1) for name, values in counts.items()}
    return {**percents, **{name: _summary(values) for name, values in seconds.items()}}


def _summary(values: list[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {
        "median": round(statistics.median(ordered), 1),
        "p90": round(ordered[int(len(ordered) * 0.9)], 1),
        "count": len(ordered),
    }


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--server", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--questions", type=int, default=50)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--courses", type=Path)
    parser.add_argument("--asked", type=Path, nargs="*", default=[])
    options = parser.parse_args()
    embedder = prepared_embedder()
    settings = replace(
        Settings(), base_url=options.server, model=options.model, short_prompts=not options.long
    )
    with (
        tempfile.TemporaryDirectory() as folder,
        library(Path(folder), embedder, settings, index=False) as rag,
    ):
        ingest(rag, resource_path("docs/courses"))
        if options.courses:
            ingest(rag, options.courses)
        questions = questions_of(options.questions, options.asked)
        result = asyncio.run(ask_all(rag, questions, show=options.show))
    print_result({"benchmark": "small_model", "questions": len(questions), **result})


if __name__ == "__main__":
    main()
