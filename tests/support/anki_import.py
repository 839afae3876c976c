"""Imports packages into an empty collection with Anki's own library; prints what came of each.

Not part of the tests' own environment: run by an interpreter that has the package ``anki``, see
tests/features/study/test_anki_export.py.
"""

import json
import sys
import tempfile
from pathlib import Path

from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest


def _contents(collection: Collection) -> dict[str, object]:
    cards = [collection.get_card(key) for key in collection.find_cards("")]
    dumps = [collection.db.all(f"SELECT * FROM {table} ORDER BY 1") for table in ("notes", "cards", "revlog")]
    return {
        "decks": sorted(deck.name for deck in collection.decks.all_names_and_ids()),
        "cards": {
            card.note().guid: {
                "deck": collection.decks.name(card.did),
                "fields": dict(card.note().items()),
                "tags": card.note().tags,
                "kind": [int(card.type), int(card.queue)],
                "due": card.due - (collection.sched.today if card.type == 2 else 0),
                "interval": card.ivl,
                "reps": card.reps,
                "lapses": card.lapses,
                "memory": card.memory_state and [card.memory_state.stability, card.memory_state.difficulty],
                "question": card.render_output().question_text,
                "answer": card.render_output().answer_text,
                "plays": len(card.question_av_tags() + card.answer_av_tags()),
            }
            for card in cards
        },
        "rows": json.dumps(dumps),
        "reviews": len(dumps[2]),
    }


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        collection = Collection(str(Path(folder, "collection.anki2")))
        found = []
        for package in sys.argv[1:]:
            options = ImportAnkiPackageOptions(with_scheduling=True)
            request = ImportAnkiPackageRequest(package_path=package, options=options)
            log = collection.import_anki_package(request).log
            kinds = ("new", "updated", "duplicate", "conflicting")
            found.append({"log": [len(getattr(log, kind)) for kind in kinds], **_contents(collection)})
        _, is_sound = collection.fix_integrity()
        sys.stdout.write(json.dumps({"imports": found, "sound": is_sound}))
        collection.close()


if __name__ == "__main__":
    main()
