"""What it takes to answer from the courses: the model searches, or the passages go along with the question.

``python -m tests.tools.benchmarks.grounding [--questions 50]`` prints one JSON line.

Both ways are asked the same questions of the sample courses, in the same run, of the same scripted models
at a loopback server; the reference is the way in which the model searches. The servers' time is scripted:
so much for a request, for each token of the prompt that is new to the server, and for each token written. It
passes faster than it would, and is put back into the figures; Lectern's own time is measured.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.config.paths import resource_path
from app.config.settings import Settings
from app.core.answers.providers.base import ModelSettings
from app.domain.events import AnswerDone, AnswerText
from app.domain.words import is_courtesy
from tests.support.anthropic_server import AnthropicServer
from tests.support.courses import ingest, library
from tests.support.kinds_of_models import ClaudeLike, IgnoresTools, question_of
from tests.support.message_checks import Model
from tests.support.scripted_turns import Reply, Text, ToolUse, Turn
from tests.tools.benchmarks.measuring import parser_of, prepared_embedder, print_result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.core.rag_system import RAGSystem
    from app.domain.conversations import Exchange

_DATA = Path(__file__).parents[2] / "data"
_COURTESIES = ["Hello!", "Thanks!", "Ok, great.", "Good, thank you.", "Bye!"]
_FASTER = 25.0  # scripted time passes so much faster
_CALL_TOKENS = 40.0


@dataclass(frozen=True)
class Pace:
    """How fast a server is.

    Attributes:
        request: seconds before it begins to read.
        read: tokens of a prompt read in a second.
        write: tokens written in a second.
    """

    request: float
    read: float
    write: float


@dataclass(frozen=True)
class Served:
    """A model at a server, which says of all of them that they search; ``cites`` with blocks, not marks."""

    model: str
    cites: bool
    pace: Pace
    searches: bool = True


SERVED = {
    "hosted": Served("claude-sonnet-5-5", True, Pace(0.7, 8000, 70)),
    "local": Served("local-8b", False, Pace(0.05, 400, 15)),
    "local, never searches": Served("local-2b", False, Pace(0.05, 1200, 45), searches=False),
}


class Paced:
    """Answers as a script does, at a pace; a model that searches does so only for ``of_courses``."""

    def __init__(self, served: Served, of_courses: frozenset[str]) -> None:
        self.seconds = 0.0  # scripted so far
        self._pace = served.pace
        self._searches = served.searches
        self._script = ClaudeLike() if served.searches else IgnoresTools()
        self._of_courses = of_courses
        self._read = ""

    def __call__(self, body: dict[str, Any]) -> Reply:
        """Answer one request, and let the time of it pass."""
        question = question_of(body)
        reply: Reply = Turn(Text("Seven times six is forty-two, and you are welcome."))
        if question in self._of_courses or not (self._searches or is_courtesy(question)):
            reply = self._script(body)
        called = isinstance(reply, Turn) and any(isinstance(item, ToolUse) for item in reply.items)
        self._pass(self._pace.request + self._new_tokens(body) / self._pace.read)
        self._pass((_CALL_TOKENS if called else 1.0) / self._pace.write)
        return reply

    def _pass(self, seconds: float) -> None:
        self.seconds += seconds
        time.sleep(seconds / _FASTER)

    def _new_tokens(self, body: dict[str, Any]) -> float:
        """Return the tokens after what the request before had in common with this one."""
        prompt = json.dumps([body.get("tools"), body.get("system"), body["messages"]])
        common = len(os.path.commonprefix([prompt, self._read]))
        self._read = prompt
        return (len(prompt) - common) / 4


@dataclass
class Way:
    """What one way took."""

    requests: list[int] = field(default_factory=list)
    first_word: list[float] = field(default_factory=list)
    own: list[float] = field(default_factory=list)
    answers: list[Exchange] = field(default_factory=list)

    def summary(self) -> dict[str, Any]:
        """Return what is printed."""
        costs = [answer.usage.cost for answer in self.answers if answer.usage.cost is not None]
        mean = statistics.fmean
        ordered = sorted(self.first_word)
        return {
            "requests": sum(self.requests),
            "one_request_percent": round(100 * self.requests.count(1) / len(self.requests), 1),
            "prompt_tokens": round(mean(answer.usage.prompt_tokens for answer in self.answers)),
            "dollars_per_100": round(100 * mean(costs), 3) if costs else None,
            "first_word_s": {
                "p50": round(statistics.median(ordered), 2),
                "p95": round(ordered[int(len(ordered) * 0.95)], 2),
            },
            "own_ms_p50": round(1e3 * statistics.median(self.own), 1),
            "cited_percent": round(
                100 * mean(any(one.verified for one in answer.citations) for answer in self.answers), 1
            ),
        }


def ask_all(
    rag: RAGSystem, served: Served, questions: Sequence[str], of_courses: frozenset[str], *, along: bool
) -> Way:
    """Ask every question in a chat of its own."""
    way = Way()
    paced = Paced(served, of_courses)
    with AnthropicServer(models=(Model(served.model, served.model, citations=served.cites),)) as server:
        server.answer_with(paced)
        settings = ModelSettings(served.model, server.url, server.key, send_passages=along)

        async def ask(question: str) -> None:
            requests, scripted, began = len(server.message_requests), paced.seconds, time.perf_counter()
            heard = False
            async for event in rag.answers.query(question, settings):
                if isinstance(event, AnswerText) and not heard:
                    heard = True
                    waited = paced.seconds - scripted
                    way.own.append(time.perf_counter() - began - waited / _FASTER)
                    way.first_word.append(way.own[-1] + waited)
                if isinstance(event, AnswerDone):
                    way.answers.append(event.exchange)
            way.requests.append(len(server.message_requests) - requests)

        async def ask_in_turn() -> None:
            for question in questions:
                await ask(question)
            await rag.answers.disconnect()

        asyncio.run(ask_in_turn())
        assert not server.rejections, server.rejections
    return way


def questions_of(count: int) -> tuple[list[str], frozenset[str]]:
    """Return questions, and those of them that are about the courses: about seven of ten."""
    rows = [json.loads(line) for line in (_DATA / "questions_samples.jsonl").read_text("utf-8").splitlines()]
    others = [
        json.loads(line) for line in (_DATA / "questions_unanswerable.jsonl").read_text("utf-8").splitlines()
    ]
    courses = [row["question"] for row in rows if row["kind"] != "unanswerable"][: round(0.7 * count)]
    general = [row["question"] for row in others if row["kind"] == "far"]
    rest = [*_COURTESIES[: round(0.1 * count)], *general]
    return [*courses, *rest[: count - len(courses)]], frozenset(courses)


def compare(rag: RAGSystem, count: int) -> dict[str, Any]:
    """Return what is printed."""
    questions, of_courses = questions_of(count)
    result: dict[str, Any] = {"benchmark": "grounding", "questions": len(questions)}
    for name, served in SERVED.items():
        searching = ask_all(rag, served, questions, of_courses, along=False).summary()
        along = ask_all(rag, served, questions, of_courses, along=True).summary()
        ratio = {
            "requests": round(searching["requests"] / along["requests"], 2),
            "prompt_tokens": round(searching["prompt_tokens"] / along["prompt_tokens"], 2),
            "first_word": round(searching["first_word_s"]["p50"] / along["first_word_s"]["p50"], 2),
        }
        result[name] = {"reference": searching, "along": along, "ratio": ratio}
    return result


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--questions", type=int, default=50)
    options = parser.parse_args()
    embedder = prepared_embedder()
    with (
        tempfile.TemporaryDirectory() as folder,
        library(Path(folder), embedder, Settings(), index=False) as rag,
    ):
        ingest(rag, resource_path("docs/courses"))
        print_result(compare(rag, options.questions))


if __name__ == "__main__":
    main()
