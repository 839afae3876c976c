"""How long a deck of 20,000 cards takes: to count, to ask, to rate, to list, to see progress, to export.

    python -m tests.tools.benchmarks.study [--items 20000]

Prints one JSON line: milliseconds (median of several calls), and those of the same library without cards as
``reference``.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.domain.cancel import CancelToken
from app.features.keeping.merging import Merge
from app.features.study.model.reviews import Rating
from app.features.study.service import StudyService
from app.features.study.transfer import copy_decks
from tests.support.reviewing import DAY, item, reviewing
from tests.tools.benchmarks.measuring import parser_of, print_result

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.reviewing import Reviewing

_TIMES = 15
_LESSONS = 40
_PASSAGE = "x" * 800  # as long as those around real quotes


def fill(at: Reviewing, items: int) -> None:
    """Add cards, three in four of them with a schedule and six reviews."""
    choose = random.Random(1)
    keys = at.add(
        *(item(10 * place, place * _LESSONS // items, document=place // 200) for place in range(items))
    )
    database = at.database
    database.write("UPDATE items SET hit = json_set(hit, '$.text', ?)", [(_PASSAGE,)])
    learnt = [key for key in keys if key % 4]
    schedule = "INSERT INTO schedules VALUES (?, ?, 2, NULL, ?, 5.0, ?, 0)"
    database.write(
        schedule,
        [
            (key, at.clock + choose.uniform(-30, 60) * DAY, choose.uniform(1, 60), at.clock - 9 * DAY)
            for key in learnt
        ],
    )
    log = "INSERT INTO reviews (item_id, at, rating, seconds, state) VALUES (?, ?, ?, 3.0, 2)"
    rows = [
        (key, at.clock - (day + choose.random()) * DAY, 1 if choose.random() < 0.1 else 3)
        for key in learnt
        for day in (80, 78, 70, 50, 30, 9)
    ]
    database.write(log, sorted(rows, key=lambda row: row[1]))


def milliseconds(work: Callable[[], object], times: int = _TIMES) -> float:
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return round(1000 * statistics.median(taken), 2)


def measure(at: Reviewing, folder: Path) -> dict[str, float]:
    """Measure what the window and an export ask for."""
    study = StudyService.__new__(StudyService)
    study.repository, study.reviews = at.study, at.reviews

    def export() -> None:
        with (
            reviewing(folder / f"copy{time.perf_counter_ns()}") as other,
            other.database.transaction() as target,
        ):
            copy_decks(Merge(at.database.connection, target, CancelToken()))

    def rate() -> None:
        if card is not None:
            at.reviews.rate(card.item.item_id, Rating.GOOD)

    card = at.reviews.next_card()
    return {
        "decks": milliseconds(study.decks),
        "next_card": milliseconds(at.reviews.next_card),
        "rate": milliseconds(rate),
        "items": milliseconds(at.study.items, 3),
        "progress": milliseconds(at.reviews.progress, 5),
        "export": milliseconds(export, 1),
    }


def result_of(items: int) -> dict[str, Any]:
    """Return what is measured with so many cards."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        with reviewing(folder / "reference") as at:
            reference = measure(at, folder)
        with reviewing(folder / "data") as at:
            fill(at, items)
            ours = measure(at, folder)
    return {"items": items, "ours": ours, "reference": reference}


def main() -> int:
    """Measure and print one JSON line."""
    parser = parser_of(__doc__)
    parser.add_argument("--items", type=int, default=20_000)
    print_result(result_of(parser.parse_args().items))
    return 0


if __name__ == "__main__":
    sys.exit(main())
