"""Values come back from the library file as they were stored; what is not such a value is refused."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from app.core.storage import codec
from app.domain.documents import Anchor
from app.domain.model_servers import Usage
from app.domain.scope import Scope
from app.domain.search import SearchHit

VECTORS = np.array([[0.5, -1.25, 2.0], [0.0, 1.0, -0.75]], np.float32)


def hit(anchor: Anchor | None) -> SearchHit:
    return SearchHit(1, 0.5, "Tides", None, "Über", 3, "text", "/a.pdf", 4, 8, anchor, None, 7)


def test_vectors_are_stored_as_float16() -> None:
    blob = codec.encode_vectors(VECTORS)
    assert blob[:4] == b"\x00\x38\x00\xbd"
    decoded = codec.decode_vectors(blob, 2)
    assert decoded.dtype == np.float32
    assert decoded.tolist() == VECTORS.tolist()
    one = codec.encode_vectors(VECTORS[0])
    assert codec.decode_vector(one).tolist() == VECTORS[0].tolist()
    assert codec.dimension_of(one) == 3


def test_vectors_of_several_rows_can_be_decoded_together() -> None:
    blobs = [codec.encode_vectors(vector) for vector in VECTORS]
    assert codec.decode_vectors(b"".join(blobs), 2).tolist() == VECTORS.tolist()


def test_spans_and_terms_are_pairs_of_32_bit_integers() -> None:
    spans = ((0, 5), (7, 70_000))
    blob = codec.encode_spans(spans)
    assert blob[:8] == b"\x00\x00\x00\x00\x05\x00\x00\x00"
    assert codec.decode_spans(blob).tolist() == [list(span) for span in spans]
    assert codec.decode_spans(codec.encode_spans(())).shape == (0, 2)
    terms = np.array([[0, 4_000_000_000], [255, 1]], np.uint32)
    assert codec.decode_terms(codec.encode_terms(terms)).tolist() == terms.tolist()


@pytest.mark.parametrize(
    ("blob", "expected"),
    [
        (codec.encode_vectors(VECTORS), True),
        (codec.encode_vectors(VECTORS[0]), False),
        (codec.encode_vectors(np.array([[1, np.nan, 0], [0, 0, 0]], np.float32)), False),
        ("no bytes", False),
        (None, False),
    ],
)
def test_untrusted_vectors(blob: object, expected: bool) -> None:
    assert codec.are_vectors(blob, 2, 3) is expected


def test_vectors_without_a_dimension_are_none() -> None:
    assert not codec.are_vectors(b"", 1, 0)


@pytest.mark.parametrize(
    ("blob", "expected"),
    [
        (codec.encode_spans([(10, 12), (12, 20)]), True),
        (codec.encode_spans([]), True),
        (codec.encode_spans([(9, 12)]), False),
        (codec.encode_spans([(10, 21)]), False),
        (codec.encode_spans([(15, 12)]), False),
        (b"\0" * 7, False),
        (5, False),
    ],
)
def test_untrusted_spans(blob: object, expected: bool) -> None:
    assert codec.are_spans(blob, 10, 20) is expected


def test_parts_of_exchanges_come_back_from_json() -> None:
    scope = Scope(("A",), (("B", 1), ("B", None)), (("A", 4),))
    assert codec.decode_scope(codec.encode_part(scope)) == scope
    for anchor in (None, Anchor("page", 3), Anchor("heading", "Part › Über")):
        assert codec.decode_hit(codec.encode_part(hit(anchor))) == hit(anchor)
    usage = Usage(1, 2, 3, 4, 0.5)
    assert codec.decode_usage(codec.encode_part(usage)) == usage
    assert codec.decode_sentences(codec.encode_sentences(((0, 4), (5, 9)))) == ((0, 4), (5, 9))


def test_what_an_earlier_version_left_out_is_empty() -> None:
    assert codec.decode_scope("{}") == Scope()
    assert codec.decode_scope(json.dumps({"courses": ["A"]})) == Scope(courses=("A",))
    assert codec.decode_usage("{}") == Usage()


def test_a_hit_keeps_the_words_that_were_missing_and_may_be_older_than_they() -> None:
    lacking = replace(hit(None), missing=("Jupiter", "moons"))
    stored = codec.encode_part(lacking)
    assert codec.decode_hit(stored) == lacking
    older = json.loads(stored)
    del older["missing"], older["pages"]
    assert codec.decode_hit(json.dumps(older)) == hit(None)
    several = replace(hit(Anchor("page", 3)), pages=(2, 4))
    assert codec.decode_hit(codec.encode_part(several)) == several
