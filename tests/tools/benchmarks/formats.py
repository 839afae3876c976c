"""How much of a file's words, their order and its table cells are read, against simpler readers.

``python -m tests.tools.benchmarks.formats [FILE | FOLDER …] [--files] [--lost]`` prints one JSON line a
format.
References are ``pdftotext`` (where it is installed) and PDFium's own text for PDF, and the plain text of the
markup for formats that are XML, HTML or JSON. In per cent:

- ``words``: of the reference's words; page numbers and running heads are left out on purpose;
- ``order``: of its pairs of neighbouring words;
- ``cells``: of the cells of its tables, or of tables that Qt prints for PDF, with each row whole.

``lost`` counts words that are nowhere in what was read, not even as a part; ``--lost`` prints them.
``--files`` prints a line for each file.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
import time
import unicodedata
import zipfile
from collections import Counter, defaultdict
from contextlib import closing
from itertools import pairwise, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pypdfium2
from lxml import etree, html

from app.core.documents.formats import ENDINGS, format_of_name
from app.core.documents.reading import ReadingProcess
from app.domain.cancel import CancelToken
from app.domain.errors import UnreadableFile
from tests.support.format_samples import FOLDER
from tests.support.printed_tables import TABLES, printed_table
from tests.tools.benchmarks.measuring import parser_of, print_result

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_WORD = re.compile(r"[^\W_]+")
_BROKEN = re.compile("[-\u00ad\u2010\ufffe\x02]\\s*\n\\s*(?=[a-zà-ÿ])")
_BESIDE = " or ancestor::".join(("script", "style", "nav", "header", "footer", "aside"))
_ROW = re.compile(r"^\|.*\|$", re.MULTILINE)


def words_of(text: str) -> list[str]:
    """Return words as they compare: ligatures and case aside, a word broken at a line's end as a whole."""
    return _WORD.findall(unicodedata.normalize("NFKC", _BROKEN.sub("", text)).casefold())


def compared(read: str, reference: str) -> dict[str, Any]:
    """Return the counts of what a reference's text holds and of what of it was read."""
    ours, theirs = words_of(read), words_of(reference)
    squeezed = "".join(ours)
    known = set(ours)
    pairs = Counter(pairwise(theirs))
    return {
        "words": len(theirs),
        "words_read": (Counter(ours) & Counter(theirs)).total(),
        "pairs": pairs.total(),
        "pairs_read": (Counter(pairwise(ours)) & pairs).total(),
        "lost": [word for word in dict.fromkeys(theirs) if word not in known and word not in squeezed],
    }


def rows_read(text: str) -> list[tuple[str, ...]]:
    """Return the cells of each row of a table that was read."""
    return [tuple(cell.strip() for cell in row.strip("|").split("|")) for row in _ROW.findall(text)]


def cells_found(text: str, rows: Iterable[tuple[str, ...]]) -> tuple[int, int]:
    """Return how many cells of a table stand in rows that were read whole, and how many there are."""
    left = Counter(rows_read(text))
    found = total = 0
    for row in rows:
        total += len(row)
        if left[row]:
            left[row] -= 1
            found += len(row)
    return found, total


def references(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the names of the references for a file, and their texts."""
    match path.suffix.lower():
        case ".pdf":
            if tool := shutil.which("pdftotext"):
                command = [tool, "-q", str(path), "-"]
                found = subprocess.run(command, capture_output=True, timeout=120, check=False)
                yield "pdftotext", found.stdout.decode("utf-8", "replace")
            yield "pdfium", _text_of_pdfium(path)
        case ".docx" | ".pptx" | ".epub":
            yield "markup", _text_of_archive(path)
        case ".html" | ".htm":
            yield "markup", _text_of_page(path.read_bytes())
        case ".ipynb":
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
            yield "markup", "\n".join("".join(cell["source"]) for cell in cells)
        case ".txt" | ".md":
            yield "text", path.read_text(encoding="utf-8", errors="replace")


def _text_of_pdfium(path: Path) -> str:
    try:
        with closing(pypdfium2.PdfDocument(path)) as document:
            return "\n".join(
                document[index].get_textpage().get_text_range() for index in range(len(document))
            )
    except pypdfium2.PdfiumError:
        return ""


def _text_of_archive(path: Path) -> str:
    parts = re.compile(r"word/document\.xml|ppt/slides/slide\d+\.xml|.*\.x?html")
    texts = []
    with zipfile.ZipFile(path) as archive:
        for name in filter(parts.fullmatch, archive.namelist()):
            if name.endswith("html"):
                texts.append(_text_of_page(archive.read(name)))
                continue
            paragraphs = etree.fromstring(archive.read(name)).iter("{*}p")
            texts += ["".join(node.text or "" for node in each.iter("{*}t")) for each in paragraphs]
    return "\n".join(texts)


def _text_of_page(data: bytes) -> str:
    body = html.fromstring(data).find(".//body")
    return "" if body is None else " ".join(body.xpath(f".//text()[not(ancestor::{_BESIDE})]"))


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        found = sorted(path.rglob("*")) if path.is_dir() else [path]
        yield from (file for file in found if file.is_file() and file.suffix.lower() in ENDINGS)


def measure(paths: Iterable[Path], *, each: bool = False, lost: bool = False) -> Iterator[dict[str, Any]]:
    """Yield a result for each format and reference, with ``each`` one for each file before."""
    sums: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    with ReadingProcess() as reading:
        for path in _files(paths):
            began = time.perf_counter()
            text, refusal = _text_read(reading, path)
            seconds = round(time.perf_counter() - began, 2)
            kind = getattr(format_of_name(path), "kind", "")
            for name, reference in references(path):
                found = compared(text, reference)
                missing = found.pop("lost")
                # A refused file counts against us only if the reference finds text in it.
                refused = {
                    "refused": bool(refusal),
                    "refused_with_text": bool(refusal and found["words"] > 5),
                }
                sums[kind, name].update({**found, "lost": len(missing), "files": 1, **refused})
                if each:
                    row = {"file": str(path), "reference": name, "seconds": seconds, **_shares(found)}
                    shown = {"missing": " ".join(missing)} if lost else {}
                    yield {**row, "lost": len(missing), **shown, "refusal": refusal}
    for (kind, name), counts in sums.items():
        rest = {key: +counts[key] for key in ("lost", "files", "refused", "refused_with_text")}
        yield {"benchmark": "formats", "format": kind, "reference": name, **_shares(counts), **rest}


def _text_read(reading: ReadingProcess, path: Path) -> tuple[str, str]:
    """Return a file's text, or why it was refused."""
    try:
        return reading.read(path, CancelToken()).text, ""
    except UnreadableFile as error:
        return "", str(error)


def _shares(counts: Mapping[str, int]) -> dict[str, Any]:
    words, order = (
        round(100 * counts[f"{what}_read"] / counts[what], 2) if counts[what] else None
        for what in ("words", "pairs")
    )
    return {"words": words, "order": order, "of": counts["words"]}


def measure_tables() -> dict[str, Any]:
    """Return how many cells of tables of known content are read, with each row whole."""
    found = total = 0
    with tempfile.TemporaryDirectory() as folder, ReadingProcess() as reading:
        for index, (table, border) in enumerate(product(TABLES, (0, 1))):
            path = Path(folder, f"{index}.pdf")
            path.write_bytes(printed_table(table, border=border))
            one, all_ = cells_found(_text_read(reading, path)[0], table)
            found, total = found + one, total + all_
    cells = round(100 * found / total, 1)
    return {
        "benchmark": "formats",
        "format": "pdf",
        "reference": "printed tables",
        "cells": cells,
        "of": total,
    }


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("paths", nargs="*", type=Path, default=[FOLDER], metavar="FILE")
    parser.add_argument("--files", action="store_true", help="a line for each file too")
    parser.add_argument("--lost", action="store_true", help="with --files: the words that were not read")
    options = parser.parse_args()
    for result in measure(options.paths, each=options.files, lost=options.lost):
        print(json.dumps(result, ensure_ascii=False)) if "file" in result else print_result(result)
    print_result(measure_tables())


if __name__ == "__main__":
    main()
