"""How often the examination of an answer is right: true claims accepted, false ones caught.

``python -m tests.tools.benchmarks.proof [--claims FILE …] [--texts FOLDER …] [--sources found|given] [--half
0|1]`` prints one JSON line.

``--claims`` are JSON lines with ``claim``, ``label``, ``sentences`` of the document and ``supporting`` (lists
of indices into these, each enough to show the claim), and where they have it the ``question`` and the ``set``
that they come from. Those labelled "supported" or "attributable" should be accepted, others refused:
"balanced" is the mean of both shares. One fact of each "supported" one is then altered by rule
(:mod:`tests.support.altered_claims`), and these should be caught, as should claims labelled "altered".

``--texts`` are folders of texts: sentences of theirs with a number, a name or a negation are claims, true as
they stand and false when altered.

A claim is examined as an answer of one sentence. Its sources are the passages of its document that share most
words with it (``found``), or the supporting sentences alone (``given``). ``--half`` takes every second claim.
The time is that of an answer of twelve claims from fifteen passages.
"""

from __future__ import annotations

import json
import random
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from app.config.paths import resource_path
from app.core.answers.proof.examination import examine
from app.core.documents.text.sentences import sentence_spans
from app.core.search.terms import content_terms
from app.domain.cancel import CancelToken
from app.domain.conversations import Exchange, ExchangeState
from app.domain.search import SearchHit
from app.domain.sources import Source, Support
from tests.support.altered_claims import altered, names_in
from tests.tools.benchmarks.measuring import parser_of, percentiles, prepared_embedder, print_result
from tests.tools.benchmarks.not_covered import wilson

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from app.core.embedding.embedder import Embedder


_DATA = Path(__file__).parents[2] / "data"
OWN_CLAIMS = _DATA / "claims.jsonl"
_PASSAGE = 800  # characters
_PASSAGES = 10
_OF_EACH_FOLDER = 120  # sentences
_SEED = 1
TRUE_LABELS = ("supported", "attributable")


class Row(NamedTuple):
    label: str
    claim: str
    sentences: list[str]  # of its document
    given: list[str]  # those of them that show it
    question: str = ""
    source_set: str = ""

    def sources(self, *, given: bool) -> tuple[Source, ...]:
        return sources_of([self.given] if given else best_passages(self.claim, self.sentences))


def passages(sentences: Iterable[str]) -> list[list[str]]:
    """Return consecutive sentences as passages of about the program's size."""
    found: list[list[str]] = [[]]
    for sentence in filter(None, map(str.strip, sentences)):
        if found[-1] and sum(map(len, found[-1])) + len(sentence) > _PASSAGE:
            found.append([])
        found[-1].append(sentence)
    return found


def sources_of(texts: Sequence[Sequence[str]]) -> tuple[Source, ...]:
    """Return passages as the sources of an answer."""
    sources = []
    for n, sentences in enumerate(texts, 1):
        text = "\n".join(sentences)
        ends = [sum(map(len, sentences[: at + 1])) + at for at in range(len(sentences))]
        spans = tuple((end - len(one), end) for end, one in zip(ends, sentences, strict=True))
        hit = SearchHit(n, 1.0, "", None, "", n, text, "/text", 0, len(text), None, None, n)
        sources.append(Source(n, f"ref:{n}", hit, spans, ""))
    return tuple(sources)


def best_passages(claim: str, sentences: Sequence[str]) -> list[list[str]]:
    """Return the first passage, which often says what the text is, and those nearest to the claim."""
    first, *others = passages(sentences)
    wanted = content_terms(claim)
    others.sort(key=lambda passage: -len(wanted & content_terms(" ".join(passage))))
    return [first, *others[:_PASSAGES]]


def read_claims(file: Path) -> Iterator[Row]:
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        places = sorted({place for each in row["supporting"] for place in each})
        given = [row["sentences"][place] for place in places if row["sentences"][place].strip()]
        places_of = (row.get("question", ""), row.get("set", ""))
        yield Row(row["label"], row["claim"], row["sentences"], given or row["sentences"], *places_of)


def read_texts(folder: Path) -> Iterator[Row]:
    """Yield sentences with a fact, each as a claim that its own document supports."""
    rows: list[Row] = []
    for file in sorted(each for each in folder.rglob("*") if each.suffix in (".md", ".txt")):
        text = file.read_text(encoding="utf-8")
        spans = sentence_spans(text)
        sentences = [" ".join(text[start:end].split()) for start, end in spans]
        for at, sentence in enumerate(sentences):
            words = sentence.split()
            if (
                8 <= len(words) <= 40
                and sentence[-1] == "."
                and any(altered(sentence, ["Ada Lovelace"], _SEED))
            ):
                rows.append(Row("supported", sentence, sentences, sentences[max(0, at - 1) : at + 2]))
    random.Random(_SEED).shuffle(rows)
    yield from rows[:_OF_EACH_FOLDER]


def verdict(claim: str, question: str, sources: tuple[Source, ...], embedder: Embedder) -> Support | None:
    """Return what becomes of an answer with this one claim; None if it is not judged."""
    exchange = Exchange(1, None, question, claim, ExchangeState.DONE, sources=sources, model="model")
    claims = examine(exchange, CancelToken(), embedder).claims
    return min((one.support for one in claims), key=_WORST_FIRST.index, default=None)


_WORST_FIRST = list(reversed(Support))


def measure(rows: Sequence[Row], embedder: Embedder, *, given: bool) -> dict[str, Any]:
    """Return the share of each kind that is accepted or caught, and of each grade that is labelled false."""
    names = sorted({name for row in rows for name in names_in(row.claim)})
    accepted: dict[str, list[bool]] = defaultdict(list)
    caught: dict[str, list[bool]] = defaultdict(list)
    by_set: dict[str, list[tuple[bool, Support]]] = defaultdict(list)
    for row in rows:
        sources = row.sources(given=given)
        found = verdict(row.claim, row.question, sources, embedder)
        if row.label == "altered":
            caught["given"].append(found is not None and not found.is_good)
        elif found is not None:
            accepted[row.label].append(found.is_good)
            by_set[row.source_set].append((row.label in TRUE_LABELS, found))
        if row.label == "supported" and found is not None:
            for kind, false in altered(row.claim, names, _SEED):
                seen = verdict(false, row.question, sources, embedder)
                caught[kind].append(seen is not None and not seen.is_good)
    result = {"accepted": {label: _share(hits) for label, hits in accepted.items()}}
    result["sets"] = {name: _of_set(graded) for name, graded in by_set.items()}
    everything = [hit for hits in caught.values() for hit in hits]
    result["caught"] = {"all": _share(everything), **{kind: _share(hits) for kind, hits in caught.items()}}
    return result


def _of_set(graded: Sequence[tuple[bool, Support]]) -> dict[str, Any]:
    """Return the balanced accuracy of one set, and how many claims of each grade are labelled false."""
    true = [found.is_good for label, found in graded if label]
    false = [not found.is_good for label, found in graded if not label]
    result: dict[str, Any] = {}
    if true and false:
        result["balanced"] = round(50 * (sum(true) / len(true) + sum(false) / len(false)), 1)
    grades: dict[str, list[bool]] = defaultdict(list)
    for label, found in graded:
        grades["good" if found.is_good else "not found"].append(not label)
        grades[found].append(not label)
    return result | {"labelled false": {grade: _share(hits) for grade, hits in grades.items()}}


def _share(hits: Sequence[bool]) -> dict[str, Any]:
    if not hits:
        return {"of": 0}
    percent = round(100 * sum(hits) / len(hits), 1)
    return {"percent": percent, "interval": wilson(sum(hits), len(hits)), "of": len(hits)}


def time_taken(rows: Sequence[Row], embedder: Embedder) -> dict[str, float]:
    """Return what an answer of twelve claims from fifteen passages takes."""
    taken = []
    for at in range(0, max(len(rows) - 11, 1), 12):
        some = rows[at : at + 12]
        texts = [passage for row in some for passage in best_passages(row.claim, row.sentences)[:2]]
        answer = " ".join(row.claim for row in some)
        sources = sources_of(texts[:15])
        exchange = Exchange(1, None, "?", answer, ExchangeState.DONE, sources=sources, model="model")
        began = time.perf_counter()
        examine(exchange, CancelToken(), embedder)
        taken.append(1000 * (time.perf_counter() - began))
    return percentiles(taken)


def _name(path: Path) -> str:
    return "/".join(path.parts[-2:])


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--claims", type=Path, nargs="*", default=[OWN_CLAIMS])
    parser.add_argument("--texts", type=Path, nargs="*", default=[resource_path("docs/courses")])
    parser.add_argument("--sources", choices=["found", "given"], default="found")
    parser.add_argument("--half", type=int, choices=[0, 1])
    options = parser.parse_args()
    embedder = prepared_embedder()
    sets = {_name(file): list(read_claims(file)) for file in options.claims}
    sets |= {_name(folder): list(read_texts(folder)) for folder in options.texts}
    result: dict[str, Any] = {"benchmark": "proof", "sources": options.sources}
    for name, rows in sets.items():
        chosen = rows if options.half is None else rows[options.half :: 2]
        given = options.sources == "given"
        result[name] = measure(chosen, embedder, given=given)
        result[name]["answer"] = time_taken(chosen, embedder)
    print_result(result)


if __name__ == "__main__":
    main()
