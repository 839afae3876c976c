"""How well scanned pages are recognized, beside tesseract where it is installed.

``python -m tests.tools.benchmarks.ocr`` prints, for pages at 150 dpi in three languages, the share of words
that are found, how many words were glued together, and the processor time of a page; then the memory that the
child took, with models and libraries. Tesseract is told the page's language; Lectern is not.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.ocr.recognizer import Recognizer, page_text
from app.domain.cancel import CancelToken
from tests.support.scans import PER_INCH, TEXTS, columns_of, page_of, picture_of, scan, worn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PIL.Image import Image

_WORD = re.compile(r"[^\W_]+")
_BROKEN = re.compile(r"(\w)-\n(\w)")
_CODES = {"English": "eng", "German": "deu", "Spanish": "spa"}
_WORDS = {page_of: 480, columns_of: 560}


def main() -> None:
    """Print a line for each page and engine."""
    engines: dict[str, Callable[[Image, str], str]] = {"lectern": lambda picture, _: page_text(picture)[0]}
    if shutil.which("tesseract"):
        engines["tesseract"] = _tesseract
    page_text(picture_of(page_of("Warm.")))  # loads the models
    for language, name, text, picture in samples():
        for engine, read in engines.items():
            began = _seconds()
            found = read(picture, language)
            recall, glued = score(text, found)
            spent = _seconds() - began
            print(f"{engine:10} {language:8} {name:16} {recall:7.1%} {glued:3} glued {spent:5.2f} s")
    print(f"memory of the child: {_memory()} MB")


def samples() -> Iterator[tuple[str, str, str, Image]]:
    """Yield language, kind, text and picture of each page."""
    for language, text in TEXTS.items():
        for layout, count in _WORDS.items():
            words = " ".join((text.split() * 8)[:count])
            clean = picture_of(layout(words))
            kind = layout.__name__.removesuffix("_of")
            yield language, f"{kind}, clean", words, clean
            yield language, f"{kind}, worn", words, worn(clean)


def score(text: str, found: str) -> tuple[float, int]:
    """Return the share of a text's words that were found, and how many are two of them without a space."""
    words, theirs = (_WORD.findall(_BROKEN.sub(r"\1\2", one).casefold()) for one in (text, found))
    pairs = {a + b for a, b in zip(words, words[1:], strict=False)} - set(words)
    return (Counter(words) & Counter(theirs)).total() / len(words), sum(word in pairs for word in theirs)


def _tesseract(picture: Image, language: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "page.png")
        picture.save(file, dpi=(PER_INCH, PER_INCH))
        command = ["tesseract", str(file), "-", "-l", _CODES[language]]
        surroundings = {**os.environ, "OMP_THREAD_LIMIT": "1"}
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=surroundings)
    return done.stdout


def _memory() -> int:
    """Return what the program's own child process takes; tesseract's are smaller."""
    with tempfile.TemporaryDirectory() as folder, Recognizer() as recognizer:
        file = Path(folder, "scan.pdf")
        for _, _, _, picture in samples():
            file.write_bytes(scan(picture))
            recognizer.page_text(file, 1, CancelToken())
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024


def _seconds() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


if __name__ == "__main__":
    main()
