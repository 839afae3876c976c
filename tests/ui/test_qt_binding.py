from __future__ import annotations

from PySide6.QtCore import QObject


def test_void_calls_keep_their_references() -> None:
    # Some builds of the binding lose one reference to None in every call that returns nothing, and
    # the process aborts after some thousand of them.
    for _ in range(200_000):
        QObject().setObjectName("x")
    assert QObject().objectName() == ""
