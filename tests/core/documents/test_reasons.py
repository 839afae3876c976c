"""Each reason that a reader gives has a text, and the arguments that its text needs."""

from __future__ import annotations

import ast
import string
from pathlib import Path

import app.core.documents
from app.domain.messages import TEXTS

ROOM = Path(app.core.documents.__file__).parent


def reasons() -> list[tuple[str, set[str]]]:
    """Return id and argument names of each ``ReaderError("…", …)`` of the room."""
    found = []
    for path in ROOM.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "ReaderError" and node.args:
                names = {keyword.arg or "" for keyword in node.keywords}
                ids = [inner.value for inner in ast.walk(node.args[0]) if isinstance(inner, ast.Constant)]
                found += [(str(message_id), names) for message_id in ids]
    return found


def test_every_reason_has_its_text_and_arguments() -> None:
    assert len(reasons()) > 10
    for message_id, names in reasons():
        text = TEXTS[message_id]
        assert isinstance(text, str)
        needed = {name for _, name, _, _ in string.Formatter().parse(text) if name}
        assert needed - {"name", "format"} == names, message_id
