"""How often a course is found by a paraphrase of its title, and none by the name of another subject.

``python -m tests.tools.benchmarks.course_names [--model FOLDER]`` prints one JSON line with a part for each
language of the names. The titles are in English, German and Spanish. None of these names is among those that
a model's scale is measured on.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from app.core.search.named_places import resolve
from app.domain.cancel import CancelToken
from tests.tools.benchmarks.measuring import parser_of, prepared_embedder, print_result

_NAMES = Path(__file__).parents[2] / "data" / "course_names.jsonl"


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--model", type=Path, metavar="FOLDER", help="embedding model instead of the default")
    options = parser.parse_args()
    embedder = prepared_embedder(options.model)
    rows = [json.loads(line) for line in _NAMES.read_text(encoding="utf-8").splitlines()]
    titles = list(dict.fromkeys(row["title"] for row in rows if row["title"]))
    vectors = dict(zip(titles, embedder.embed_passages(titles, CancelToken()), strict=True))
    counts: dict[str, Counter[str]] = {}
    for row in rows:
        found, _ = resolve(row["name"], titles, lambda: vectors, embedder.likeness_to)
        if not row["title"]:
            outcome = "taken for a course" if found else "refused rightly"
        elif not found:
            outcome = "refused wrongly"
        else:
            outcome = "found" if row["title"] in found else "mistaken"
        counts.setdefault(row["language"], Counter())[outcome] += 1
    print_result({"benchmark": "course names", "titles": len(titles), **counts})


if __name__ == "__main__":
    main()
