"""Spreadsheets and comma-separated values to text: tables that say their header again and again."""

import csv
import datetime
import io
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence

from app.core.documents.readers import ReaderError
from app.core.documents.readers.office.opendocument import is_opendocument
from app.core.documents.readers.plain import decoded
from app.core.documents.readers.safe_archive import Archive, is_archive_with
from app.core.documents.readers.text_builder import TextBuilder, clean, table_row, unread
from app.domain.documents import DocumentText

_BLOCK = 700  # characters of a header with its rows; a passage holds them
_FILE = 1_000_000  # characters of rows in a file; there is more only in data
_COLUMNS = 100  # of a table; what stands in further ones is left out
_DELIMITERS = (",", ";", "\t", "|")
_SAMPLE = 2**16


def is_workbook(data: bytes) -> bool:
    return is_archive_with(data, "xl/workbook.xml") or is_opendocument(data, "spreadsheet")


def read_csv(data: bytes) -> DocumentText:
    """Read values between commas, semicolons, tabs or bars: whatever divides most rows alike."""
    text = decoded(data)
    sample = text[:_SAMPLE].split("\n")[:50]

    def fit(delimiter: str) -> tuple[int, int]:
        widths = Counter(len(row) for row in csv.reader(sample, delimiter=delimiter) if len(row) > 1)
        return max(((count, width) for width, count in widths.items()), default=(0, 0))

    reader = _TableReader()
    reader.add(row for row in _divided(text, max(_DELIMITERS, key=fit)) if any(row))
    return reader.builder.finish()


def _divided(text: str, delimiter: str) -> Iterator[list[str]]:
    def rows() -> Iterator[list[str]]:
        return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)

    try:
        deque(rows(), maxlen=0)
    except csv.Error:  # a quote that is never closed makes one cell of all the rest
        return (line.split(delimiter) for line in text.split("\n"))
    return rows()


def read_spreadsheet(data: bytes) -> DocumentText:
    """Read the values of a workbook (Excel, OpenDocument); each visible sheet is a heading and an anchor."""
    import python_calamine as calamine  # needed for these formats only

    if data.startswith(b"PK"):
        Archive(data)  # checks what it unpacks to
    try:
        book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
    except calamine.PasswordError as error:
        raise ReaderError("documents.password") from error
    reader = _TableReader()
    wanted = calamine.SheetTypeEnum.WorkSheet, calamine.SheetVisibleEnum.Visible
    names = [one.name for one in book.sheets_metadata if (one.typ, one.visible) == wanted]
    damaged = 0
    for name in names:
        try:
            rows = book.get_sheet_by_name(name).iter_rows()
        except calamine.CalamineError as error:
            damaged += 1
            if damaged == len(names):
                raise ReaderError from error
            continue
        reader.add(([_shown(value) for value in row] for row in rows), name)
    return reader.builder.finish(unread("sheets", damaged, len(names)))


class _TableReader:
    def __init__(self) -> None:
        self.builder = TextBuilder()
        self._room = _FILE
        self._block: list[str] = []  # a header with rows

    def add(self, rows: Iterable[Sequence[str]], title: str = "") -> None:
        """Add the tables of a sheet, which end at an empty row; a line above one with a single cell is text.

        The title is said if there is anything below it.
        """
        header: str | None = None
        left_out = 0
        for row in rows:
            filled = [cell for cell in row[:_COLUMNS] if cell and not cell.isspace()]
            if self._room < 0:
                left_out += bool(filled)
                continue
            if filled and title:
                self.builder.heading(1, title)
                title = ""
            if not filled:
                self._flush()
                header = None
            elif header is None and len(filled) == 1:
                self.builder.block(clean(filled[0]).replace("\n", " "))
                self._room -= len(filled[0])
            elif header is None:
                header = "" if all(map(_is_number, filled)) else _line(row)
                self._block = [_line(row)]
            else:
                self._add_row(header, _line(row))
        self._flush()
        if left_out:
            self.builder.block(f"[{left_out} more rows]")

    def _add_row(self, header: str, row: str) -> None:
        if sum(map(len, self._block)) + len(row) > _BLOCK and self._block != [header]:
            self._flush()
            self._block = [header] if header else []
        self._block.append(row)

    def _flush(self) -> None:
        text = "\n".join(self._block)
        self.builder.block(text)
        self._room -= len(text)
        self._block = []


def _line(row: Sequence[str]) -> str:
    """Return a row without the empty cells at its end."""
    width = next(n for n in range(min(len(row), _COLUMNS), 0, -1) if row[n - 1].strip())
    return table_row(row[:width])


def _shown(value: object) -> str:
    match value:
        case float():
            return f"{value:.12g}"
        case datetime.datetime() if value.time() == datetime.time():
            return str(value.date())
    return str(value)


def _is_number(cell: str) -> bool:
    try:
        float(cell.strip().rstrip("%").replace(",", "."))
    except ValueError:
        return False
    return True
