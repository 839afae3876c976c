"""How values are stored in the library file: numbers as little-endian bytes, parts of exchanges as JSON.

Vectors are float16, spans pairs of 32-bit integers (start and end), terms pairs of unsigned 32-bit
integers (piece number and term hash).
"""

import json
import math
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from types import UnionType
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from app.domain.documents import Anchor, AnchorKind
from app.domain.messages import Message
from app.domain.model_servers import Usage
from app.domain.scope import Scope
from app.domain.search import SearchHit
from app.domain.sources import Claim, Support

FLOAT_BYTES = 2
PAIR_BYTES = 8


def encode_vectors(vectors: NDArray[np.float32]) -> bytes:
    return vectors.astype("<f2").tobytes()


def decode_vectors(blob: bytes, count: int) -> NDArray[np.float32]:
    """Return float32 (count, dimension)."""
    return np.frombuffer(blob, "<f2").reshape(count, -1).astype(np.float32)


def decode_vector(blob: bytes) -> NDArray[np.float32]:
    """Return float32 (dimension,)."""
    return np.frombuffer(blob, "<f2").astype(np.float32)


def dimension_of(blob: bytes) -> int:
    """Return the dimension of a single stored vector."""
    return len(blob) // FLOAT_BYTES


def are_vectors(blob: object, count: int, dimension: int) -> bool:
    """Whether a value from an untrusted file is ``count`` vectors of finite numbers."""
    if not isinstance(blob, bytes) or len(blob) != count * dimension * FLOAT_BYTES or not dimension:
        return False
    return bool(np.isfinite(np.frombuffer(blob, "<f2")).all())


def encode_spans(spans: Sequence[tuple[int, int]]) -> bytes:
    return np.asarray(spans, "<i4").tobytes()


def decode_spans(blob: bytes) -> NDArray[np.int32]:
    """Return int32 (n, 2)."""
    return np.frombuffer(blob, "<i4").reshape(-1, 2)


def are_spans(blob: object, first: int, last: int) -> bool:
    """Whether a value from an untrusted file is spans within ``first:last``."""
    if not isinstance(blob, bytes) or len(blob) % PAIR_BYTES:
        return False
    spans = decode_spans(blob)
    return bool((spans >= first).all() and (spans <= last).all() and (spans[:, 0] <= spans[:, 1]).all())


def encode_terms(terms: NDArray[np.uint32]) -> bytes:
    return terms.astype("<u4").tobytes()


def decode_terms(blob: bytes) -> NDArray[np.uint32]:
    """Return uint32 (n, 2)."""
    return np.frombuffer(blob, "<u4").reshape(-1, 2)


def encode_part(part: Scope | SearchHit | Usage) -> str:
    """Encode a part of an exchange as JSON."""
    return json.dumps(asdict(part), ensure_ascii=False)


def decode_scope(text: str) -> Scope:
    stored: dict[str, Any] = json.loads(text)
    return Scope(
        courses=tuple(stored.get("courses", ())),
        lessons=tuple((title, number) for title, number in stored.get("lessons", ())),
        up_to=tuple((title, number) for title, number in stored.get("up_to", ())),
    )


def decode_hit(text: str) -> SearchHit:
    stored: dict[str, Any] = json.loads(text)
    anchor = stored.pop("anchor")
    missing = tuple(stored.pop("missing", ()))
    pages = tuple(stored.pop("pages", None) or ()) or None
    return SearchHit(**stored, anchor=Anchor(**anchor) if anchor else None, missing=missing, pages=pages)


def decode_usage(text: str) -> Usage:
    return Usage(**json.loads(text))


def encode_sentences(sentences: Sequence[tuple[int, int]]) -> str:
    return json.dumps(sentences)


def decode_sentences(text: str) -> tuple[tuple[int, int], ...]:
    return tuple((start, end) for start, end in json.loads(text))


def encode_claims(claims: Sequence[Claim]) -> str:
    stored = [
        (one.answer_start, one.answer_end, one.support, one.reason.to_json() if one.reason else None)
        for one in claims
    ]
    return json.dumps(stored, ensure_ascii=False)


def decode_claims(text: str) -> tuple[Claim, ...]:
    """Raises ValueError or TypeError for a text from an untrusted file that holds something else."""
    return tuple(
        Claim(int(start), int(end), Support(support), Message.from_json(reason) if reason else None)
        for start, end, support, reason in json.loads(text)
    )


_LARGEST = 1 << 63


class Inconsistent(Exception):
    """Rows of the source are unreadable, contradict each other, or hold values of a wrong type."""


@contextmanager
def reading() -> Iterator[None]:
    """Blame the source for what SQLite cannot read, not the target whose transaction is open."""
    try:
        yield
    except sqlite3.Error as error:
        raise Inconsistent(str(error)) from error


def check_scope(text: str) -> None:
    scope = decode_scope(text)
    require(all(isinstance(title, str) for title in scope.courses))
    require(all(isinstance(title, str) for title, _ in (*scope.lessons, *scope.up_to)))
    require(all(number is None or fits(number, int) for _, number in scope.lessons))
    require(all(fits(number, int) for _, number in scope.up_to))


def check_hit(hit: SearchHit) -> None:
    numbers = (hit.rank, hit.chunk_index, hit.start, hit.end, *(hit.pages or ()))
    require(all(isinstance(text, str) for text in (hit.course_title, hit.lesson_title, hit.text, hit.path)))
    require(isinstance(hit.link, str | None) and fits(hit.score, int | float))
    require(all(fits(number, int) for number in numbers) and len(hit.pages or (1, 1)) == 2)
    require(hit.lesson_number is None or fits(hit.lesson_number, int))
    if hit.anchor is not None:
        require(hit.anchor.kind in get_args(AnchorKind))
        require(fits(hit.anchor.value, str if hit.anchor.kind == "heading" else int | float))


def without(row: sqlite3.Row, *names: str) -> dict[str, Any]:
    """Return the columns of a row except some."""
    return {name: value for name, value in dict(row).items() if name not in names}


def fits(value: object, kind: type | UnionType) -> bool:
    if isinstance(value, int | float):
        return isinstance(value, kind) and math.isfinite(value) and abs(value) <= _LARGEST
    return isinstance(value, kind)


def require(holds: bool) -> None:
    if not holds:
        message = "its rows contradict each other"
        raise Inconsistent(message)
