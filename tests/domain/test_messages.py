"""Messages: each use names a text that exists, with just the arguments that the text has."""

from __future__ import annotations

import ast
import pickle
import re
import string
from pathlib import Path
from typing import TYPE_CHECKING

import app
from app.domain.messages import LITERAL, TEXTS, Message, Plural
from app.domain.messages.answers import MENDED_IN_SETTINGS

if TYPE_CHECKING:
    import pytest

APP = Path(app.__file__).parent


def uses() -> list[tuple[str, str, set[str] | None]]:
    """Return where, id and argument names (None for ``**arguments``) of each literal ``Message(…)`` call."""
    found: list[tuple[str, str, set[str] | None]] = []
    for path in APP.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and getattr(node.func, "id", None) == "Message" and node.args):
                continue
            if isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
                names = {keyword.arg or "" for keyword in node.keywords}
                where = f"{path.relative_to(APP)}:{node.lineno}"
                found.append((where, node.args[0].value, None if "" in names else names))
    return found


def placeholders(text: str | Plural) -> set[str]:
    texts = text if isinstance(text, Plural) else (text,)
    return {name for item in texts for _, name, _, _ in string.Formatter().parse(item) if name}


def test_every_use_fits_its_text() -> None:
    wrong = [
        (where, message_id)
        for where, message_id, names in uses()
        if message_id not in TEXTS
        or (names is not None and names | {"n"} != placeholders(TEXTS[message_id]) | {"n"})
    ]
    assert wrong == []


def test_every_id_in_the_code_has_a_text_and_every_text_is_used() -> None:
    """Also ids that are chosen by a condition, made of parts or passed on."""
    written: set[str] = set()
    made: set[str] = set()  # patterns of f-strings
    for path in APP.rglob("*.py"):
        if path.parent.name == "messages":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                written.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                made.add("".join(_pattern(part) for part in node.values))
    rooms = "|".join({message_id.partition(".")[0] for message_id in TEXTS} - {LITERAL})
    an_id = re.compile(rf"(?:{rooms})\.[a-z_]*[a-z]")
    assert {text for text in written if an_id.fullmatch(text)} - TEXTS.keys() == {"config.json", "marks.md"}
    unwritten = TEXTS.keys() - written - {LITERAL}
    # Of the f-strings only those that begin with a room, and the variants of a reader's reasons, make ids.
    endings = [pattern for pattern in made if re.match(rf"(?:{rooms})\\\.|\[a-z_\.\]\+_but", pattern)]
    assert [text for text in unwritten if not any(re.fullmatch(one, text) for one in endings)] == []


def _pattern(part: ast.expr) -> str:
    return re.escape(str(part.value)) if isinstance(part, ast.Constant) else "[a-z_.]+"


def test_texts_are_whole_sentences_without_apologies_for_plurals() -> None:
    texts = [part for text in TEXTS.values() for part in (text if isinstance(text, Plural) else (text,))]
    assert [text for text in texts if "(s)" in text or "can not" in text or text != text.strip()] == []


def test_texts_have_the_words_of_the_window_and_of_people() -> None:
    texts = [text.other if isinstance(text, Plural) else text for text in TEXTS.values()]
    unknown = ("base URL", "anew", "exported model")
    assert [text for text in texts if any(word in text for word in unknown)] == []


def test_renders_plurals_and_nested_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TEXTS, "test.files", Plural("{n} file: {why}", "{n} files: {why}"))
    why = Message(LITERAL, text="too large")
    assert str(Message("test.files", n=1, why=why)) == "1 file: too large"
    assert str(Message("test.files", n=12_000, why=why)) == "12,000 files: too large"


def test_survives_storage_and_processes() -> None:
    message = Message(LITERAL, text=Message(LITERAL, text="“A” {b}"))
    assert Message.from_json(message.to_json()) == message
    assert pickle.loads(pickle.dumps(message)) == message
    assert str(Message.from_json("A sentence that an earlier version stored.")).startswith("A sentence")
    assert str(Message.from_json('{"id": "no.such", "arguments": {}}')).startswith("{")
    assert str(Message.from_json('{"id": "literal", "arguments": {}}')).startswith("{")


def test_answers_that_send_the_reader_to_the_settings_are_known_by_their_ids() -> None:
    own = {name: text for name, text in TEXTS.items() if name.startswith("answers.")}
    leading = {name for name, text in own.items() if "in the settings" in getattr(text, "other", text)}
    assert leading == MENDED_IN_SETTINGS
