"""PDF files with tables of known content, printed by Qt."""

from __future__ import annotations

import os
from html import escape

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QSizeF
from PySide6.QtGui import QPageSize, QPdfWriter, QTextDocument
from PySide6.QtWidgets import QApplication

Table = list[tuple[str, ...]]

_LONG = "water and flour in equal parts, kept warm and fed once a day until it bubbles"

TABLES: list[Table] = [
    [
        ("Bread", "Hydration", "Oven"),
        ("Bagel", "55", "220"),
        ("Baguette", "70", "250"),
        ("Ciabatta", "85", "240"),
    ],
    [
        ("Bread", "Salt", "Oven"),
        ("Bagel", "2", "220"),
        ("Baguette", "", "250"),
        ("Ciabatta", "2", ""),
        ("Rye", "", "230"),
    ],
    [
        ("Term", "Meaning"),
        ("Starter", _LONG),
        ("Crumb", "the inside"),
        ("Proof", "the last rise of a loaf before it goes into the oven, at which it doubles in size"),
    ],
    [
        ("Algorithm", "Best", "Average", "Worst", "Stable"),
        ("Merge sort", "n log n", "n log n", "n log n", "yes"),
        ("Quicksort", "n log n", "n log n", "n²", "no"),
        ("Heapsort", "n", "n log n", "n log n", "no"),
        ("Insertion sort", "n", "n²", "n²", "yes"),
    ],
    [("", "Actual yes", "Actual no"), ("Predicted yes", "90", "10"), ("Predicted no", "5", "95")],
    [
        ("Week", "Topic", "Reading", "Due"),
        ("1", "Introduction and overview of the course", "Chapter 1", ""),
        ("2", "Sorting", "Chapters 2 and 3", "Problem set 1"),
        ("3", "Hashing", "", ""),
        ("4", "Graphs: depth-first and breadth-first search", "Chapter 22", "Problem set 2"),
    ],
]


def printed_table(rows: Table, *, border: int, padding: int = 8) -> bytes:
    """Return a PDF of a table between two paragraphs."""
    application = QApplication.instance() or QApplication([])
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setResolution(96)
    writer.setPageMargins(QMarginsF(20, 20, 20, 20))
    cells = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    document = QTextDocument()
    document.setHtml(
        "<p>The table below was put together from what the bakers of the town said about their own bread, "
        "and from a look into their books.</p>"
        f"<table border='{border}' cellpadding='{padding}' cellspacing='0'>{cells}</table>"
        "<p>What follows from it is not the same for each of them, as the next chapter says.</p>"
    )
    document.setPageSize(QSizeF(writer.width(), writer.height()))
    document.documentLayout().setPaintDevice(writer)
    document.print_(writer)
    assert application is not None
    return bytes(buffer.data().data())
