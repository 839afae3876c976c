"""How many of the terms that are found without a model are terms of the book.

``python -m tests.tools.benchmarks.glossary --documents FOLDER [--questions FILE] [--show N]`` prints one JSON
line. A book that sets its terms in bold is the judge of them: the bold is taken out, and of the terms found
then the share is counted that the book sets in bold somewhere, for those that a sentence names ("is called
…") and for those that it only describes ("… is a …"). As the reference, the words before the first "is" or
"are" of every sentence. With ``--questions``, JSON lines of the kind ``definition`` with ``question``, the
definition of a glossary, and ``file``: the share of the sentences found that mean about the same as one of
their file (cosine of 0.6). ``--show`` also prints some of the terms, to be judged by eye.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
import time
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from app.domain.scope import Scope
from app.features.study.automatic import defined_terms
from tests.support.courses import ingest, library
from tests.support.study import study_of
from tests.tools.benchmarks.libraries import MadeUpVectors, Maker
from tests.tools.benchmarks.measuring import parser_of, print_result

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.core.rag_system import RAGSystem
    from app.features.study.automatic import DefinedTerm
    from app.features.study.passages import Passage

_BOLD = re.compile(r"\*\*([^*\n]{2,60})\*\*")
_BEFORE_IS = re.compile(r"(?:(?:An?|The) )?([^,.;:()]{2,60}?) (?:is|are) ")
_NEAR = 0.6


def found_terms(passages: Sequence[Passage]) -> dict[str, Any]:
    """Return the shares of terms that stand in bold, found without the bold."""
    bold = {term.casefold().strip() for one in passages for term in _BOLD.findall(one.text)}
    plain = [replace(one, text=one.text.replace("*", " ")) for one in passages]
    began = time.perf_counter()
    terms = defined_terms(plain, plain)
    seconds = time.perf_counter() - began
    sentences = (" ".join(one.sentence(span).split()) for one in plain for span in one.prose)
    before_is = {found[1] for sentence in sentences if (found := _BEFORE_IS.match(sentence))}
    named = [term.definition.term for term in terms if term.definition.is_marked]
    described = [term.definition.term for term in terms if not term.definition.is_marked]
    return {
        "passages": len(passages),
        "seconds": round(seconds, 2),
        "bold": len(bold),
        "named": _share(named, bold),
        "described": _share(described, bold),
        "reference": _share(before_is, bold),
    }


def _share(terms: Iterable[str], bold: set[str]) -> dict[str, float]:
    lower = [term.casefold() for term in terms]
    found = sum(not bold.isdisjoint((one, f"{one}s", one.removesuffix("s"))) for one in lower)
    return {"terms": len(lower), "in_bold": round(found / max(len(lower), 1), 3)}


def agreement(rag: RAGSystem, terms: Sequence[DefinedTerm], questions: Path) -> dict[str, float]:
    """Return the share of definitions that mean about what a glossary says of some term of the file."""
    glossary: dict[str, list[str]] = defaultdict(list)
    for line in questions.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row.get("kind") == "definition":
            glossary[row["file"]].append(row["question"])
    embed = rag.embedder.embed_query
    vectors = {file: np.array([embed(text) for text in texts]) for file, texts in glossary.items()}
    paths = {record.document_id: path for path, record in rag.catalog.documents.files().items()}
    near = []
    for term in terms:
        path = paths[term.passage.document_id].replace("\\", "/")
        file = next((file for file in vectors if path.endswith(file)), None)
        if file is not None:
            near.append(float((vectors[file] @ embed(term.definition.sentence)).max()) >= _NEAR)
    return {"definitions": len(near), "agree": round(float(np.mean(near)), 3) if near else 0.0}


def main() -> None:
    """Measure, and print the JSON line."""
    parser = parser_of(__doc__)
    parser.add_argument("--documents", type=Path, required=True)
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as place,
        library(Path(place), MadeUpVectors(Maker()), index=False) as rag,
    ):
        ingest(rag, options.documents)
        passages = study_of(rag).passages.read(Scope())
        result = found_terms(passages)
        terms = defined_terms(passages, passages)
        if options.questions:
            result |= agreement(rag, terms, options.questions)
        for term in random.Random(1).sample(terms, min(options.show, len(terms))):
            print(f"[{term.definition.term}] {term.definition.sentence}")
        print_result({"benchmark": "glossary", "terms": len(terms), **result})


if __name__ == "__main__":
    main()
