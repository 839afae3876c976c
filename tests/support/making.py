"""A course of five lessons full of facts, and a model that makes items of them, good ones and bad ones."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.support.scripted_turns import RawBlock, Text, ToolUse, Turn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BIRDS = "Birds of the Coast"
_NAMES = """
    heron osprey avocet curlew dunlin plover turnstone gannet fulmar shag cormorant bittern egret
    spoonbill wigeon pintail teal garnet shoveler gadwall eider scoter merganser smew goldeneye grebe
    diver petrel skua puffin razorbill guillemot kittiwake tern whimbrel godwit knot sanderling ruff
    redshank
"""
_FOODS = ("lugworms", "sand eels", "mussels", "shore crabs", "sea grass", "sprats", "cockles", "shrimps")
_LANDS = ("Morocco", "Portugal", "Iceland", "Norway", "Senegal", "Ireland", "Brittany", "Galicia")


@dataclass(frozen=True)
class Fact:
    """A sentence of the course, and what can be asked about it."""

    sentence: str
    question: str
    answer: str
    wrong: tuple[str, ...]


def _facts(lesson: int) -> Iterator[Fact]:
    for place, name in enumerate(_NAMES.split()):
        number = 11 + 3 * place
        wrong = tuple(f"{number + more}" for more in (1, 5, 40))
        if lesson == 1:
            said = f"In a good year the {name} lays {number} eggs, which both of its parents guard in turns."
            yield Fact(said, f"How many eggs does the {name} lay in a good year?", str(number), wrong)
        elif lesson == 2:
            said = f"A grown {name} weighs {number} grams before it sets out on its journey across the sea."
            yield Fact(said, f"How heavy is a grown {name} before its journey, in grams?", str(number), wrong)
        elif lesson == 3:
            food = _FOODS[place % 8]
            others = tuple(one for one in _FOODS if one != food)[:3]
            said = f"At low tide the {name} feeds on {food}, because they are easy to find in the mud."
            yield Fact(said, f"What does the {name} eat when the tide is out?", food, others)
        elif lesson == 4:
            land = _LANDS[place % 8]
            others = tuple(one for one in _LANDS if one != land)[:3]
            said = (
                f"Most of the ringed birds show that the {name} spends the winter in {land} with its young."
            )
            yield Fact(said, f"Where do ringing results place the {name} in winter?", land, others)
        else:
            said = f"While it raises its young, the {name} sleeps {number} minutes at a time on the cliff."
            yield Fact(
                said, f"For how many minutes at a time does a nesting {name} sleep?", str(number), wrong
            )


FACTS = {fact.sentence: fact for lesson in range(1, 6) for fact in _facts(lesson)}


def write_birds(folder: Path) -> Path:
    """Write the course into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f"Course Title: {BIRDS}", ""]
    for lesson in range(1, 6):
        lines += [f"Lesson {lesson}: Part {lesson}", *(fact.sentence for fact in _facts(lesson)), ""]
    (folder / "birds.txt").write_text("\n".join(lines), encoding="utf-8")
    return folder.resolve()


def good(kind: str, passage: int, fact: Fact) -> dict[str, Any]:
    """Return the arguments of a good item of a fact."""
    given: dict[str, Any] = {"passage": passage, "quote": fact.sentence}
    match kind:
        case "card":
            return given | {"question": fact.question, "answer": fact.answer}
        case "cloze":
            return given | {"text": fact.sentence.replace(fact.answer, "{{c1::" + fact.answer + "}}", 1)}
        case "point":
            return given | {"heading": "Life at the coast", "claim": fact.sentence}
        case "choice":
            given |= {"wrong_answers": list(fact.wrong)}
        case "short":
            given |= {"also_right": []}
    return given | {"question": fact.question, "answer": fact.answer, "explanation": fact.sentence}


def bad(number: int, passage: int, fact: Fact, elsewhere: str) -> tuple[str, Any]:
    """Return the kind and the arguments of one of twenty bad items; ``elsewhere`` is of another lesson."""
    card, cloze, choice = (good(kind, passage, fact) for kind in ("card", "cloze", "choice"))
    point = good("point", passage, fact)
    long, spanish = (
        "It is so because of this. " * 40,
        "Porque los padres vigilan los huevos por turnos cada año.",
    )
    ways: list[tuple[str, Any]] = [
        ("card", card | {"quote": elsewhere}),
        ("card", card | {"quote": "The albatross never lands on the coast of any country."}),
        ("card", card | {"quote": fact.sentence[:-9] + "somewhere."}),
        ("card", card | {"passage": 900}),
        ("choice", choice | {"wrong_answers": [*fact.wrong[:2], fact.answer]}),
        ("choice", choice | {"wrong_answers": fact.wrong[:1]}),
        ("choice", choice | {"wrong_answers": [fact.wrong[0], fact.wrong[0], fact.wrong[1]]}),
        ("choice", {**choice, "wrong_answers": None, "choices": list(fact.wrong)}),
        ("cloze", cloze | {"text": fact.sentence}),
        ("cloze", cloze | {"text": "The {{c1::albatross}} is a bird."}),
        ("card", card | {"answer": f"<b onclick='x()'>{fact.answer}</b>"}),
        ("card", card | {"answer": f"{fact.answer}. {spanish}"}),
        ("card", card | {"answer": " "}),
        ("card", card | {"answer": fact.answer + long}),
        ("card", card | {"question": f"Is it {fact.answer}? {fact.question}"}),
        ("card", card | {"answer": f"[{fact.answer}](https://example.org)"}),
        ("card", card | {"answer": "777 kilometres"}),
        ("short", good("short", passage, fact) | {"answer": "Napoleon Bonaparte of Corsica"}),
        ("point", point | {"claim": "Gulls steal chips from tourists on every promenade of the continent."}),
        ("card", '{"passage": 1, "quote": "In a good'),
    ]
    return ways[number % len(ways)]


class Teacher:
    """Answers every request for items with calls, some of them bad; asked again, it makes good ones.

    Attributes:
        bad: how many more bad items it will write.
        handed_in: how many items it has written.
        requests: how often it was asked.
    """

    def __init__(self, bad: int = 0) -> None:
        self.bad = bad
        self.handed_in = 0
        self.requests = 0
        self._used: set[str] = set()

    def __call__(self, body: dict[str, Any]) -> Turn:
        self.requests += 1
        by_tool = "tools" in body
        handed_in = [self._written(kind, given, by_tool) for kind, given in self._items(body)]
        return Turn(*handed_in, stop_reason="tool_use" if by_tool else "end_turn")

    def _written(self, kind: str, given: Any, by_tool: bool) -> RawBlock | ToolUse | Text:  # noqa: ANN401 - any JSON
        if by_tool and isinstance(given, dict) and self.handed_in % 8:  # in one piece, which is quicker
            call = {"type": "tool_use", "id": f"toolu_{kind}_{self.handed_in}", "name": f"make_{kind}"}
            return RawBlock({**call, "input": given})
        if by_tool:
            return ToolUse(f"make_{kind}", given)
        return Text(json.dumps({"kind": kind, **given} if isinstance(given, dict) else given) + "\n")

    def _items(self, body: dict[str, Any]) -> Iterator[tuple[str, Any]]:
        passages, plan = asked_of(body)
        for number, kinds in plan.items():
            for kind in kinds:
                free = [one for one in FACTS if one in passages[number] and one not in self._used]
                if not free:
                    break  # nothing more worth knowing
                fact = FACTS[free[0]]
                self.handed_in += 1
                if self.bad and self.handed_in % 4 == 0:
                    self.bad -= 1
                    elsewhere = next(
                        one for one in FACTS if not any(one in text for text in passages.values())
                    )
                    yield bad(self.bad, number, fact, elsewhere)
                else:
                    self._used.add(fact.sentence)
                    yield kind, good(kind, number, fact)


def asked_of(body: dict[str, Any]) -> tuple[dict[int, str], dict[int, list[str]]]:
    """Return the passages of a request by their numbers, and the kinds to make from each."""
    texts = [_text(part) for message in body["messages"] for part in message["content"]]
    found = re.findall(r"Passage \[(\d+)\]\n\[[^\n]*\]\n(.*?)(?=\n\nPassage \[|\Z)", texts[0], re.DOTALL)
    plan: dict[int, list[str]] = {}
    asked = texts[-1] if "- passage" in texts[-1] else texts[1]
    for number, listed in re.findall(r"^- passage (\d+): (.+)$", asked, re.MULTILINE):
        plan[int(number)] = [
            kind for count, kind in re.findall(r"(\d+) (\w+)", listed) for _ in range(int(count))
        ]
    return {int(number): text for number, text in found}, plan


def _text(part: dict[str, Any]) -> str:
    content = part.get("content", part.get("text", ""))
    return content if isinstance(content, str) else "\n".join(map(_text, content))
