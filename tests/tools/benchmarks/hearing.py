"""Hears speech whose text is known: word errors, time and memory, and whether questions still find it.

``python -m tests.tools.benchmarks.hearing FOLDER --model FOLDER [--language en] [--course FILE]``

FOLDER holds recordings, each beside its text of the same name: ``lecture 1.wav`` and ``lecture 1.txt``. The
name may end in ``_de`` or another language, which is then told. With ``--course``, the recordings are the
lessons of that sample course, in order, and the sample questions on it are asked of what was heard and of
the course as it is written. Prints one JSON line:

- ``words``: percent of words that are wrong, missing or too many, by recording, and of all: ``words_all``.
- ``rate``: seconds of sound heard in one second; ``memory_mb``: of the process that hears, at most.
- ``found``, ``found_written``: percent of the questions' references within 4,000 characters.
"""

from __future__ import annotations

import json
import re
import resource
import tempfile
import time
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.config.paths import user_cache_dir
from app.core.embedding.embedder import Embedder
from app.core.hearing.engine import hear
from tests.support.courses import ingest, library
from tests.tools.benchmarks.measuring import parser_of, print_result
from tests.tools.benchmarks.questions import CHARACTERS, within

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.core.rag_system import RAGSystem

_QUESTIONS = Path(__file__).parents[2] / "data" / "questions_samples.jsonl"
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_LESSON = re.compile(r"^Lesson \d+: .*$", re.MULTILINE)


def words_of(text: str) -> list[str]:
    """Return the words of a text without case, punctuation and ways of writing small numbers."""
    plain = text.casefold().replace("’", "'").replace("-", " ").replace("%", " percent ")
    found = re.sub(r"[^\w']+", " ", plain.replace("per cent", "percent")).split()
    return [_NUMBERS[int(one)] if one.isdecimal() and int(one) < len(_NUMBERS) else one for one in found]


def errors(said: Sequence[str], heard: Sequence[str]) -> int:
    """Return how many words have to be changed, put in or left out."""
    row = np.arange(len(heard) + 1)
    other = np.array(heard, dtype=object)
    for n, word in enumerate(said, 1):
        changed = np.minimum(row[:-1] + (other != word), row[1:] + 1)
        places = np.arange(len(row))
        row = np.minimum.accumulate(np.concatenate([[n], changed]) - places) + places
    return int(row[-1])


def heard_in(path: Path, model: Path, language: str) -> tuple[str, float]:
    """Return what is heard in a recording, and how many seconds it lasts."""
    at, text, is_last = 0.0, "", False
    while not is_last:
        piece = hear(path, at, model, language, "")
        for _, _, words in piece["cues"]:
            text += " " + "".join(word for word, _ in words).strip()
        at, is_last, language = piece["end"], piece["is_last"], language or piece["language"]
    return text.strip(), at


def found_share(rag: RAGSystem, rows: Sequence[dict[str, object]], written: str, given: str) -> float:
    """Return the share of references that are found in a text that says ``written`` in its own way."""
    pairs = _aligned(written, given)
    shares = []
    for row in rows:
        results = rag.search.retrieve(str(row["question"]), None, None, max_chars=CHARACTERS)
        spans = [("", hit.start, hit.end) for hit in results.hits]
        got = {place for _, start, end in within(spans, CHARACTERS) for place in range(start, end)}
        references = row["references"]
        assert isinstance(references, list)
        wanted = {
            place for one in references for place in _moved(pairs, one["start_index"], one["end_index"])
        }
        shares.append(len(wanted & got) / len(wanted) if wanted else 0.0)
    return round(100 * float(np.mean(shares)), 1)


def _aligned(written: str, given: str) -> list[tuple[int, int]]:
    """Return the places in both texts of the words that they share."""
    one, other = (
        [(m[0].casefold(), m.start()) for m in re.finditer(r"\w+", text)] for text in (written, given)
    )
    matcher = SequenceMatcher(None, [word for word, _ in one], [word for word, _ in other], autojunk=False)
    return [
        (one[block.a + n][1], other[block.b + n][1])
        for block in matcher.get_matching_blocks()
        for n in range(block.size)
    ]


def _moved(pairs: Sequence[tuple[int, int]], start: int, end: int) -> range:
    """Return where a span of the first text stands in the second."""
    inside = [there for here, there in pairs if start <= here < end]
    return range(inside[0], inside[-1] + 1) if inside else range(0)


def ask_both(course: Path, heard: Sequence[str]) -> dict[str, float]:
    """Ask the sample questions of the course as it is written, and as it was heard."""
    written = course.read_text(encoding="utf-8")
    rows = [json.loads(line) for line in _QUESTIONS.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["course_file"] == course.name and row["references"]]
    heads = [found[0] for found in _LESSON.finditer(written)]
    spoken = written[: written.index(heads[0])] + "\n\n".join(
        f"{head}\n{text}\n" for head, text in zip(heads, heard, strict=True)
    )
    shares = {}
    for name, text in (("found", spoken), ("found_written", written)):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, course.name)
            file.write_text(text, encoding="utf-8")
            with library(Path(folder, "library"), Embedder(None, user_cache_dir())) as rag:
                ingest(rag, file)
                (record,) = rag.catalog.documents.files().values()
                given = rag.catalog.documents.text(record.document_id).text
                shares[name] = found_share(rag, rows, written, given)
    return shares


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--language", default="")
    parser.add_argument("--course", type=Path)
    arguments = parser.parse_args()
    wrong, known, seconds, took = 0, 0, 0.0, 0.0
    shares, heard = {}, []
    for path in sorted(one for one in arguments.folder.iterdir() if one.suffix in (".wav", ".mp3", ".m4a")):
        said = words_of(path.with_suffix(".txt").read_text(encoding="utf-8"))
        named = re.search(r"_(\w\w)$", path.stem)
        began = time.perf_counter()
        text, length = heard_in(path, arguments.model, named[1] if named else arguments.language)
        took, seconds = took + time.perf_counter() - began, seconds + length
        heard.append(text)
        count = errors(said, words_of(text))
        shares[path.stem] = round(100 * count / len(said), 1)
        wrong, known = wrong + count, known + len(said)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    asked = ask_both(arguments.course, heard) if arguments.course else {}
    rate, words_all = round(seconds / took, 1), round(100 * wrong / known, 1)
    print_result({"words": shares, "words_all": words_all, "rate": rate, "memory_mb": memory, **asked})


if __name__ == "__main__":
    main()
