"""Makes the saved library of the present schema version, for tests of later versions.

``python -m tests.support.make_saved_library``: once for each schema version, before it changes; a
saved library is never made anew.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from app.config.paths import user_cache_dir
from app.core.storage.schema import SCHEMA_VERSION
from app.domain.conversations import ExchangeState
from app.domain.model_servers import Usage
from app.domain.scope import Scope
from app.domain.sources import Citation
from app.features.study.model.reviews import Rating
from tests.support.courses import BREAD, TIDES, KeptEmbedder, document_text, ingest, library
from tests.support.study import MOON, TIDES_TITLE, add_item, study_of

PLACE = Path(__file__).parent.parent / "data" / "libraries" / f"v{SCHEMA_VERSION}" / "library.sqlite3"


def main() -> int:
    """Write the library; refuse to replace one."""
    if PLACE.exists():
        sys.stderr.write(f"{PLACE} is there already and stays as it is.\n")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        courses = Path(folder, "courses")
        courses.mkdir()
        for name, text in (("bread.txt", BREAD), ("tides.txt", TIDES)):
            (courses / name).write_text(text, encoding="utf-8", newline="\n")
        data = Path(folder, "data")
        _fill(data, courses)
        PLACE.parent.mkdir(parents=True, exist_ok=True)
        with sqlite3.connect(data / "library.sqlite3") as connection:
            connection.execute(
                "UPDATE documents SET path = '/courses/' || replace(path, ?, '')", (f"{courses}/",)
            )
            for table in ("sources", "items"):
                connection.execute(f"UPDATE {table} SET hit = replace(hit, ?, '/courses')", (str(courses),))
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("VACUUM INTO ?", (str(PLACE),))
        connection.close()
    return 0


def _fill(data: Path, courses: Path) -> None:
    with library(data, KeptEmbedder(None, user_cache_dir()), index=False) as rag:
        ingest(rag, courses)
        scope = Scope(courses=("Tides and Currents",))
        conversation = rag.conversations.create_session(scope)
        hit = rag.search.retrieve("neap tides", scope=scope).hits[0]
        source = rag.search.make_source(1, hit)
        start = document_text(rag, hit.document_id).index("Neap tides come a week later.")
        quoted = "Neap tides come a week later."
        exchange = rag.conversations.begin_exchange(conversation, "When do neap tides come?", scope, "claude")
        rag.conversations.save(
            replace(
                exchange,
                answer="They come a week later.",
                state=ExchangeState.DONE,
                sources=(source,),
                citations=(Citation(1, 0, 23, start, start + len(quoted), quoted, verified=True),),
                usage=Usage(120, 30, 0, 0),
                stop_reason="end_turn",
                seconds=1.25,
            )
        )
        exchange = rag.conversations.begin_exchange(conversation, "And spring tides?", scope, "claude")
        rag.conversations.save(
            replace(exchange, answer="When sun", state=ExchangeState.STOPPED, stop_reason="stopped")
        )
        item = add_item(rag, TIDES_TITLE, MOON)
        study_of(rag).reviews.rate(item, Rating.GOOD, 4.0)
        study_of(rag).reviews.suspend(item)


if __name__ == "__main__":
    sys.exit(main())
