"""How well sentences that were edited are told from sentences that are gone, and what following them costs.

``python -m tests.tools.benchmarks.stale [--items 20000] [--exchanges 1000] [--files 500]`` prints one JSON
line.

``found`` is the share of edited sentences for which the edited one is shown. ``false`` is the share of those
for which a sentence is shown that has nothing to do with it: where it was deleted, and (``replaced``) where a
sentence of another course stands in its place; with both neighbours of the sentence, one or none left. Edits
are made to the sample courses.

The costs are those of a check after nothing, one file of all, or every file was changed.
"""

from __future__ import annotations

import random
import re
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.config.paths import resource_path
from app.core.documents.document_processor import DocumentProcessor
from app.core.documents.document_reader import read_document
from app.core.documents.text.alignment import Quoted, Version
from app.core.documents.text.passages import document_sentences
from app.domain.cancel import CancelToken
from app.domain.conversations import ExchangeState
from app.domain.scope import Scope
from app.domain.search import Window
from app.domain.sources import Citation, Source
from app.features.study.model.items import NewItem
from app.features.study.model.names import ItemKind, ItemText
from tests.support.courses import ingest, library
from tests.support.study import study_of
from tests.tools.benchmarks.libraries import MadeUpVectors, Maker
from tests.tools.benchmarks.measuring import parser_of, print_result, timed

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem

_CITATIONS = 5  # of an answer
_AROUND = 3  # sentences of the passage on each side


def _edits(sentence: str, words: list[str], pick: random.Random) -> list[tuple[int, str]]:
    """Return the sentence as an author might change it: a little, much, longer, shorter, in two.

    Each with the place of its count.
    """
    own = sentence.split()
    few, many = own.copy(), own.copy()
    few[pick.randrange(len(few))] = pick.choice(words)
    for at in pick.sample(range(len(many)), len(many) // 2):
        many[at] = pick.choice(words)
    half = len(own) // 2
    added = " ".join(pick.choices(words, k=6))
    edited = (
        " ".join(few),
        " ".join(many),
        f"{sentence[:-1]}, {added}.",
        " ".join(own[: 2 * len(own) // 3]) + ".",
        f"{' '.join(own[:half])}. It {' '.join(own[half:])}",
    )
    return [(0, one) for one in edited]


def _told(sentences: list[str], at: int, now: str, context: int) -> tuple[Version, Quoted]:
    """Return a text in which another sentence stands in the place of one, and the quote of that."""
    changed = [*sentences[:at], *([now] if now else []), *sentences[at + 1 :]]
    spans, start = [], 0
    for one in changed:
        spans.append((start, start + len(one)))
        start += len(one) + 1
    before = tuple(sentences[max(at - _AROUND, 0) : at][::-1]) if context > 1 else ()
    after = tuple(sentences[at + 1 : at + 1 + _AROUND]) if context else ()
    place = sum(len(one) + 1 for one in sentences[:at])
    return Version(" ".join(changed), spans), Quoted(sentences[at], place, (sentences[at],), before, after)


def judge(most: int) -> dict[str, Any]:
    """Return the shares of what is found, and of what is found wrongly, by context."""
    pick = random.Random(5)
    files = sorted(resource_path("docs/courses").glob("*.txt"))
    results: dict[str, list[int]] = {}
    foreign: list[str] = []
    for file in files[-1:] + files:
        parsed = DocumentProcessor().parse(read_document(file), file.name)
        sentences = [" ".join(parsed.text[slice(*span)].split()) for span in document_sentences(parsed)]
        words = re.findall(r"[a-z]{4,}", " ".join(sentences))
        long = [at for at, one in enumerate(sentences) if len(one.split()) >= 5 and sentences.count(one) == 1]
        others, foreign = foreign, [sentences[at] for at in long]
        for at in pick.sample(long[1:-1], min(most, len(long) - 2)) if others else ():
            for kind, now in ((2, ""), (4, pick.choice(others)), *_edits(sentences[at], words, pick)):
                for context, name in enumerate(("no neighbour", "one neighbour", "both neighbours")):
                    version, quoted = _told(sentences, at, now, context)
                    span = version.replacement(quoted)
                    told = "" if span is None else version.text[slice(*span)]
                    good = told.startswith(now[: len(now) // 2]) if kind == 0 else bool(told)
                    counts = results.setdefault(name, [0] * 6)
                    counts[kind] += good
                    counts[kind + 1] += 1
    return {
        name: {
            name: round(part / whole, 3)
            for name, part, whole in zip(("found", "false", "replaced"), of[::2], of[1::2], strict=True)
        }
        for name, of in results.items()
    }


def _fill(rag: RAGSystem, items: int, exchanges: int) -> None:
    """Let items and citations rest on sentences of all files in turn."""
    places = []
    rows = rag.database.connection.execute('SELECT id, start, "end" FROM chunks').fetchall()
    windows = [Window(row["id"], row["start"], row["end"], 1.0, row["start"]) for row in rows]
    for hit in rag.catalog.passages.hits(windows):
        source = rag.search.make_source(1, hit)
        places += [(source, *span) for span in source.sentences]
    repository = study_of(rag).repository
    deck = repository.deck_of("All")
    chosen = [places[number % len(places)] for number in range(items)]
    repository.add(deck, [_item(*place) for place in chosen])
    conversation = rag.conversations.create_session()
    for number in range(exchanges):
        mine = [places[(number * _CITATIONS + step) % len(places)] for step in range(_CITATIONS)]
        asked = rag.conversations.begin_exchange(conversation, f"Question {number}?", Scope(), "model")
        sources = tuple(replace(source, n=n) for n, (source, _, _) in enumerate(mine, 1))
        cited = tuple(
            Citation(n, 0, 3, start, end, source.text(start, end), verified=True)
            for n, (source, start, end) in enumerate(mine, 1)
        )
        done = replace(asked, answer="So.", state=ExchangeState.DONE, sources=sources, citations=cited)
        rag.conversations.save(done)


def _item(source: Source, start: int, end: int) -> NewItem:
    quote = source.text(start, end)
    return NewItem(ItemKind.CARD, ItemText("What?", quote), source, start, end, quote)


def cost(items: int, exchanges: int, files: int, folder: Path) -> dict[str, float]:
    """Return seconds of checks."""
    courses, maker = folder / "courses", Maker()
    courses.mkdir()
    for number in range(files):
        text = maker.course(1, 1500)
        (courses / f"{number:04}.txt").write_text(text.replace(": ", f": {number} ", 1), encoding="utf-8")

    def check() -> float:
        return round(timed(lambda: list(study_of(rag).stale.check(CancelToken())))["seconds"], 3)

    def change(paths: list[Path]) -> float:
        for path in paths:
            text = path.read_text(encoding="utf-8")
            path.write_text(
                text.replace("\nLesson 0", "\nNews.\nLesson 0", 1) + "More of it.\n", encoding="utf-8"
            )
        ingest(rag, courses)
        return check()

    with library(folder / "data", MadeUpVectors(maker), index=False) as rag:
        ingest(rag, courses)
        _fill(rag, items, exchanges)
        paths = sorted(courses.iterdir())
        seconds = {"first": check(), "nothing_changed": check()}
        return {**seconds, "one_file_changed": change(paths[:1]), "all_files_changed": change(paths)}


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--items", type=int, default=20_000)
    parser.add_argument("--exchanges", type=int, default=1000)
    parser.add_argument("--files", type=int, default=500)
    parser.add_argument("--sentences", type=int, default=60, help="edited, of each sample course")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        seconds = cost(options.items, options.exchanges, options.files, Path(folder).resolve())
    counts = {"items": options.items, "exchanges": options.exchanges, "files": options.files}
    likeness = judge(options.sentences)
    print_result({"benchmark": "stale", **counts, "seconds": seconds, "likeness": likeness})


if __name__ == "__main__":
    main()
