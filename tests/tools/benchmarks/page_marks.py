"""How well cited sentences are marked on the pages of PDFs.

``python -m tests.tools.benchmarks.page_marks [--files FILE …] [--citations 300]`` prints one JSON line.

Documents whose every letter has a known place are set here: in one, two and three columns, with divided
words, turned pages, text that runs up the page, slides, running heads. Of ``--files`` those sentences are
taken whose letters stand in the same order at one place only; where they stand is what PDFium says.

``covered`` is the share of the sentences' letters whose middle is marked, ``precise`` the share of marked
letters that belong to the sentence. ``lost`` are sentences of which nothing was marked.
"""

from __future__ import annotations

import hashlib
import random
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from app.core.documents.document_processor import DocumentProcessor
from app.core.documents.document_reader import read_document
from app.core.documents.page_process import PageProcess
from app.core.documents.text.passages import document_sentences
from app.core.sandbox import Sandbox
from app.domain.cancel import CancelToken
from tests.support.set_pages import Setting, lesson_of, made_sentences, set_document
from tests.tools.benchmarks.measuring import parser_of, percentiles, print_result

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.domain.documents import DocumentText
    from app.domain.pages import Mark

SETTINGS = (
    Setting(),
    Setting(columns=2, divides=True),
    Setting(columns=2, divides=True, header="Chapter 3: The sea and its tides", lines=38),
    Setting(columns=3, divides=True, size=8),
    Setting(turn=90, width=792, height=612, lines=30),
    Setting(turn=270, columns=2, width=792, height=612, lines=28),
    Setting(turn=180),
    Setting(steep=True, lines=30),
    Setting(steep=True, columns=2, lines=30, turn=90),
    Setting(width=960, height=540, size=24, lines=12, header="Slide: what the moon does"),
    Setting(width=960, height=540, size=20, lines=14, columns=2),
    Setting(divides=True, size=14, lines=20),
)


class Letters(NamedTuple):
    """A place on a page, and whether it is part of the sentence."""

    page: int
    x: float
    y: float
    is_cited: bool


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--files", nargs="*", type=Path, default=[])
    parser.add_argument("--citations", type=int, default=300)
    options = parser.parse_args()
    print_result(measure(options.files, options.citations))


def measure(files: Sequence[Path], citations: int) -> dict[str, Any]:
    totals: Counter[str] = Counter()
    each: dict[str, dict[str, float]] = {}
    took: list[float] = []
    share = max(citations // (len(files) + len(SETTINGS)), 1)
    with tempfile.TemporaryDirectory() as folder, Sandbox("test") as sandbox:
        process = PageProcess(sandbox)
        for number, setting in enumerate(SETTINGS):
            path = Path(folder, f"{number}.pdf")
            made = set_document(made_sentences(4 * share, number), setting)
            path.write_bytes(made.data)
            truths = {
                _letters(sentence): [
                    Letters(one.page, one.x, one.y, one.sentence == index) for one in made.letters
                ]
                for index, sentence in enumerate(made.sentences)
            }
            counts = _examined(process, path, share, truths, took)
            each[f"set {number}"] = _shares(counts)
            totals += counts
        for path in files:
            counts = _examined(process, path, share, None, took)
            each[path.name] = _shares(counts)
            totals += counts
    return {"benchmark": "page_marks", **_shares(totals), "each": each, "one": percentiles(took)}


def _examined(
    process: PageProcess,
    path: Path,
    share: int,
    truths: dict[str, list[Letters]] | None,
    took: list[float],
) -> Counter[str]:
    token = CancelToken()
    document = read_document(path)
    file = process.open(str(path), hashlib.sha256(path.read_bytes()).hexdigest(), token)
    texts = [process.text(page, token) for page in range(1, len(file.sizes) + 1)] if truths is None else []
    lesson = lesson_of(document)
    counts: Counter[str] = Counter()
    for start, end in _chosen(document):
        keys = _letters(document.text[start:end])
        truth = _unique(texts, keys) if truths is None else truths.get(keys)
        if not truth:
            continue
        around = lesson.around(start, end)
        assert around is not None
        began = time.perf_counter()
        span = (start - around.start, end - around.start)
        (marks,) = process.marks(around.pages, around.text, [span], token)
        took.append(1000 * (time.perf_counter() - began))
        _count(counts, truth, marks)
        if counts["citations"] == share:
            break
    return counts


def _chosen(document: DocumentText) -> list[tuple[int, int]]:
    """Return the sentences of a document in an arbitrary order that is always the same."""
    spans = [span for span in document_sentences(DocumentProcessor().parse(document, "x.pdf"))]
    spans = [(start, end) for start, end in spans if len(_letters(document.text[start:end])) >= 12]
    random.Random(1).shuffle(spans)
    return spans


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _unique(texts: Iterable[Any], keys: str) -> list[Letters]:
    """Return the letters of the one page on which a sentence stands once and in order; else none."""
    found: list[Letters] = []
    for text in texts:
        own = [at for at, character in enumerate(text.text) if character.isalnum()]
        page = "".join(text.text[at] for at in own)
        if keys not in page:
            continue
        if found or page.count(keys) > 1:
            return []
        first = page.index(keys)
        cited = set(own[first : first + len(keys)])
        for at in own:
            box = text.boxes[at]
            middle = (box.left + box.right) / 2, (box.top + box.bottom) / 2
            found.append(Letters(text.page, *middle, at in cited))
    return found


def _count(counts: Counter[str], truth: Sequence[Letters], marks: Sequence[Mark]) -> None:
    counts["citations"] += 1
    counts["lost"] += not marks
    for letter in truth:
        is_marked = any(
            page == letter.page and box.left <= letter.x <= box.right and box.top <= letter.y <= box.bottom
            for page, box in marks
        )
        counts["cited"] += letter.is_cited
        counts["marked"] += is_marked
        counts["both"] += is_marked and letter.is_cited


def _shares(counts: Counter[str]) -> dict[str, float]:
    return {
        "citations": counts["citations"],
        "covered": round(100 * counts["both"] / max(counts["cited"], 1), 2),
        "precise": round(100 * counts["both"] / max(counts["marked"], 1), 2),
        "lost": counts["lost"],
    }


if __name__ == "__main__":
    main()
