"""Passages whose parts are well formed and do not fit together: they are ranked and shown, or left out."""

from __future__ import annotations

import base64
import random
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from app.core.search.filters import MetadataFilter
from app.core.search.ranking import best_passages, best_text, rank
from app.core.search.remote import chunks_of, hit_of, numbered, pages_of
from app.core.search.terms import term_hashes
from app.domain.documents import Anchor
from app.domain.scope import Scope
from app.domain.shared import ServerAddress
from app.features.shared.connection import Found
from app.features.shared.model import SharedCourse, SharedDocument
from app.features.shared.reading import ServerSearch, _ascending
from app.features.shared.records import CourseEntry, CourseHead, SharedPassage, decode_passage
from app.features.shared.service import KnownLibrary, SharedLibraries
from app.features.shared.subscription import Catalogue, Subscription

if TYPE_CHECKING:
    from pathlib import Path

DIMENSION = 8
COURSE, DOCUMENT = "b" * 32, "a" * 32
ADDRESS = ServerAddress("https://chroma.example.org")
TIDES = SharedCourse(
    uid=COURSE,
    title="Tides",
    instructor=None,
    link=None,
    revision="1",
    lessons=(),
    documents=(SharedDocument(DOCUMENT, "a/b.txt", "", "en", passages=9, characters=10**6, lessons=()),),
)
ANCHORS = (
    "[]",
    '[[0,"page",1],[3,"slide",2]]',
    '[[0,"heading","Q"],[1,"page",4]]',
    '[[-9,"page",3],[0,"cell",4]]',
)
WORDS = ("moon", "tide", "the", "7", "Figure 3", "\0", "\u202e", "潮")


def _passage(source: random.Random, n: int) -> SharedPassage | None:
    text = " ".join(source.choices(WORDS, k=source.randint(4, 60)))
    cuts = sorted(source.sample(range(len(text) + 1), 2 * source.randint(1, 2)))
    count = len(cuts) // 2
    numbers = bytes(source.choices(range(256), k=DIMENSION * count))
    pieces = np.array(cuts, "<u2").tobytes() + np.full(count, 0.005, "<f4").tobytes() + numbers
    start = source.choice((n * 100, n * 100, 0, 50, 10**6))
    texts = {"course_title": "T", "lesson_title": "L", "heading": "H", "language": "en"}
    places = {"n": n, "chunk_index": n, "lesson": source.choice((0, 0, 1)), "start": start}
    metadata = {
        "course": COURSE,
        "document": DOCUMENT,
        "end": start + len(text),
        "anchors": source.choice(ANCHORS),
        "before": "\n" * source.choice((0, min(start, 9))),
        "pieces": base64.b64encode(pieces).decode(),
        **texts,
        **places,
    }
    return decode_passage(Found(f"{DOCUMENT}_{n}", text, cast("Any", metadata)), DIMENSION)


def _library(folder: Path) -> ServerSearch:
    head = CourseHead(COURSE, TIDES.title, TIDES.revision, 1, "", "")
    entry = CourseEntry(head, TIDES, np.zeros(DIMENSION, np.float32), "")
    catalogue = Catalogue(ADDRESS.key, "model", 0.0, (entry,))
    subscription = Subscription(ADDRESS, lambda: "", lambda: ("model", DIMENSION), folder)
    libraries = SharedLibraries(folder, tuple, lambda: ("model", DIMENSION))
    known = KnownLibrary(subscription, catalogue, frozenset({COURSE}), (), (), None)
    return ServerSearch(known, MetadataFilter(None, None, Scope()), libraries)


def test_passages_that_overlap_or_run_backwards_become_hits_or_nothing(tmp_path: Path) -> None:
    library = _library(tmp_path)
    source = random.Random(5)
    question = np.full(DIMENSION, DIMENSION**-0.5, np.float32)
    weights = dict.fromkeys(term_hashes(["moon", "tide"]).tolist(), 1.0)
    shown = 0
    for _ in range(300):
        found = [_passage(source, n) for n in range(source.randint(1, 9))]
        usable = _ascending([one for one in found if one is not None])
        keyed = numbered([library._made(one) for one in usable])  # noqa: SLF001
        if not keyed:
            continue
        ranked = rank(chunks_of(keyed), question, weights)
        for window in (*best_passages(ranked, 5, 800), *best_text(ranked, 30, 2000)):
            hit = hit_of(window, keyed)
            assert hit.end - hit.start == len(hit.text) > 0
            shown += 1
    assert shown > 1000


def test_pages_are_told_only_between_pages() -> None:
    page, other, heading = Anchor("page", 3), Anchor("page", 4), Anchor("heading", "Q")
    assert pages_of(page, page, other) == (3, 4)
    assert pages_of(page, heading, other) is pages_of(page, page, Anchor("slide", 4)) is None
    assert pages_of(heading, page, other) is pages_of(page, page, page) is pages_of(page, None, other) is None
