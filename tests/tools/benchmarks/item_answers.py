"""How often answers of flashcards that a passage shows are kept, and others refused.

``python -m tests.tools.benchmarks.item_answers [--set FOLDER]`` prints one JSON line with shares, for
Lectern and for the reference, which keeps an answer if any of its words stands in the passage:

- ``in_other_words``: kept answers that say in other words what the passage says, of tests/data.
- ``from_elsewhere``: refused answers to questions about the other passages there.
- ``spans``, ``from_the_same_file``: with a set whose questions have answers as spans of its documents
  (:mod:`tests.tools.benchmarks.questions`), those kept, and refused answers to other questions about the same
  document, which the passage does not hold.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.documents.text.sentences import sentence_spans
from app.core.search.terms import content_terms
from app.domain.search import SearchHit
from app.domain.sources import Source
from app.features.study.item_checks import PassageFacts
from tests.tools.benchmarks.measuring import parser_of, prepared_embedder, print_result

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from app.core.embedding.embedder import Embedder

_DATA = Path(__file__).parents[2] / "data" / "item_answers.jsonl"
_AROUND = 3  # sentences on each side of the one that is quoted
_LONGEST = 120  # characters of an answer

Span = tuple[int, int]


@dataclass
class _Case:
    text: str
    sentences: tuple[Span, ...]
    quoted: Span
    right: list[tuple[str, str]] = field(default_factory=list)  # questions and answers
    wrong: list[tuple[str, str]] = field(default_factory=list)


def measure(embedder: Embedder, questions: Path | None = None) -> dict[str, dict[str, float]]:
    """Return the shares of both, to three digits."""
    names: list[tuple[Iterable[_Case], tuple[str, str]]] = [
        (_own_cases(), ("in_other_words", "from_elsewhere"))
    ]
    if questions is not None:
        names.append((_cases_of(questions), ("spans", "from_the_same_file")))
    shares: dict[str, dict[str, float]] = {"lectern": {}, "reference": {}}
    for cases, (kept, refused) in names:
        found: dict[tuple[str, str], list[bool]] = defaultdict(list)
        for case in cases:
            facts, words = _facts(case, embedder), content_terms(case.text)
            for name, pairs in ((kept, case.right), (refused, case.wrong)):
                for question, answer in pairs:
                    says = not facts.wrong_answer(question, answer, case.quoted)
                    found["lectern", name].append(says is (name == kept))
                    found["reference", name].append(bool(content_terms(answer) & words) is (name == kept))
        for (whose, name), right in found.items():
            shares[whose][name] = round(sum(right) / len(right), 3)
    return shares


def _facts(case: _Case, embedder: Embedder) -> PassageFacts:
    start, end = case.sentences[0][0], case.sentences[-1][1]
    hit = SearchHit(1, 1.0, "Course", None, "", 0, case.text, "a.txt", start, end, None, None, 1)
    return PassageFacts(Source(1, "a", hit, case.sentences, ""), embedder)


def _own_cases() -> list[_Case]:
    rows = [json.loads(line) for line in _DATA.read_text(encoding="utf-8").splitlines()]
    pairs = [[(one["question"], one["answer"]) for one in row["answers"]] for row in rows]
    cases = []
    for place, row in enumerate(rows):
        spans = tuple(sentence_spans(row["passage"]))
        others = [pair for at, own in enumerate(pairs) if at != place for pair in own]
        cases.append(_Case(row["passage"], spans, spans[0], pairs[place], others))
    return cases


def _cases_of(folder: Path) -> Iterator[_Case]:
    rows = [json.loads(line) for line in (folder / "dev.jsonl").read_text(encoding="utf-8").splitlines()]
    answers: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        answers[row["file"]] += [ref["content"] for ref in row["references"] if ref["content"]]
    for row in rows:
        ref, text = row["references"][0], (folder / "docs" / row["file"]).read_text(encoding="utf-8")
        if len(row["references"]) > 1 or not 1 < len(ref["content"]) <= _LONGEST:
            continue
        spans = sentence_spans(text)
        at = next(place for place, span in enumerate(spans) if span[1] > ref["start_index"])
        near = tuple(spans[max(0, at - _AROUND) : at + _AROUND + 1])
        passage = text[near[0][0] : near[-1][1]]
        others = [one for one in answers[row["file"]] if one.lower() not in passage.lower()][:3]
        asked = row["question"]
        yield _Case(passage, near, spans[at], [(asked, ref["content"])], [(asked, other) for other in others])


def main() -> None:
    """Measure with the embedding model in use."""
    parser = parser_of(__doc__)
    parser.add_argument("--set", type=Path, help="folder with dev.jsonl and docs")
    options = parser.parse_args()
    embedder = prepared_embedder()
    print_result(measure(embedder, options.set))


if __name__ == "__main__":
    main()
