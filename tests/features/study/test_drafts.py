"""What a model hands in, as a call or as text, whatever that is."""

from __future__ import annotations

import json

import pytest

from app.features.study.item_writer import Draft, DropReason, Refused, TextReader, read_call
from app.features.study.model.names import ItemKind

CARD = {"passage": 1, "quote": "Q", "question": "Why?", "answer": "So."}
CHOICE = {"passage": "[2]", "quote": "Q", "question": "Why?", "answer": "So.", "explanation": "E"}


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("make_term", CARD, "no such tool"),
        ("make_card", ["a list"], "no JSON object"),
        ("make_card", {**CARD, "answer": " "}, "answer must be text"),
        ("make_card", {**CARD, "question": 7}, "question must be text"),
        ("make_card", {**CARD, "passage": True}, "number of a passage"),
        ("make_card", {**CARD, "passage": "first"}, "number of a passage"),
        ("make_choice", {**CHOICE, "wrong_answers": [3]}, "wrong_answers must be text"),
    ],
)
def test_what_is_no_item_is_refused_with_a_reason(name: str, arguments: object, says: str) -> None:
    with pytest.raises(Refused, match=says) as refused:
        read_call(name, arguments, (ItemKind.CARD, ItemKind.CHOICE))
    assert refused.value.reason is DropReason.FORM


def test_one_wrong_answer_need_not_be_a_list() -> None:
    one = read_call("make_choice", {**CHOICE, "wrong_answers": "No."}, (ItemKind.CHOICE,))
    assert (one.kind, one.passage, one.text.others) == (ItemKind.CHOICE, 2, ("No.",))


def test_items_in_text_are_read_from_lists_and_objects_and_by_their_only_kind() -> None:
    reader = TextReader((ItemKind.CARD,))
    first = {"kind": "card", "arguments": {**CARD, "question": "A?"}}
    assert reader.feed(f'{{"items": [{json.dumps(first)},') == []
    found = reader.feed(' {"passage": 2, "quote": "Q", "question": "B?", "answer": "b"}]}')
    assert [one.text.front for one in found if isinstance(one, Draft)] == ["A?", "B?"]
    (broken,) = reader.feed('{"quote": nothing}')
    assert isinstance(broken, Refused)
    assert reader.feed("{" + "x" * 9_000) == reader.finish() == []
