"""Encodings with real bytes: paragraphs of real languages saved in the tables people use."""

from __future__ import annotations

import codecs
import json
import random
from pathlib import Path

import pytest

from app.core.documents.readers import ReaderError
from app.core.documents.readers.plain import decode

DATA = Path(__file__).parents[3] / "data"
PARAGRAPHS: dict[str, str] = json.loads((DATA / "paragraphs.json").read_text(encoding="utf-8"))
WESTERN = ("French", "German", "Spanish", "Portuguese", "Swedish", "Danish")
CASES = [
    *((language, "cp1252") for language in ("English", *WESTERN)),
    *((language, "latin-1") for language in WESTERN),
    *((language, "mac_roman") for language in ("English", "French", "German")),
    *((language, "cp850") for language in ("French", "German", "Danish")),
    *(
        (language, table)
        for language in ("Polish", "Czech", "Hungarian")
        for table in ("cp1250", "iso8859_2")
    ),
    ("Turkish", "cp1254"),
    *(("Russian", table) for table in ("cp1251", "koi8_r", "cp866", "iso8859_5")),
    *(("Ukrainian", table) for table in ("cp1251", "koi8_u")),
    *(("Greek", table) for table in ("cp1253", "iso8859_7")),
    ("Hebrew", "cp1255"),
    ("Arabic", "cp1256"),
    *(("Japanese", table) for table in ("shift_jis", "euc_jp", "iso2022_jp")),
    *(("Chinese", table) for table in ("gb18030", "gbk")),
    *(("Korean", table) for table in ("euc_kr", "cp949")),
    *((language, "utf-16-le") for language in ("English", "Russian", "Japanese", "Chinese")),
    *((language, "utf-16-be") for language in ("English", "Russian", "Japanese", "Chinese")),
]


@pytest.mark.parametrize("copies", [1, 30])
@pytest.mark.parametrize(("language", "encoding"), CASES)
def test_a_paragraph_is_read_in_the_encoding_it_was_saved_in(
    language: str, encoding: str, copies: int
) -> None:
    text = (PARAGRAPHS[language] + "\n") * copies
    data = text.encode(encoding)
    assert decode(data) == text


@pytest.mark.parametrize("encoding", ["cp1251", "cp1252", "shift_jis", "gb18030"])
def test_foreign_words_late_in_a_large_english_file_are_found(encoding: str) -> None:
    language = {"cp1251": "Russian", "cp1252": "French", "shift_jis": "Japanese", "gb18030": "Chinese"}[
        encoding
    ]
    text = "Plain words come first, and many of them.\n" * 20_000 + (PARAGRAPHS[language] + "\n") * 20
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize(("language", "encoding"), [("Japanese", "shift_jis"), ("Chinese", "gb18030")])
def test_a_large_file_of_one_line_without_spaces(language: str, encoding: str) -> None:
    text = PARAGRAPHS[language] * 3_000
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize("language", PARAGRAPHS)
@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_unicode_is_exact_and_its_mark_is_dropped(language: str, mark: bytes, encoding: str) -> None:
    text = PARAGRAPHS[language] + "\nend"
    assert decode(mark + text.encode(encoding)) == text


def test_only_one_mark_is_dropped() -> None:
    assert decode(codecs.BOM_UTF8 * 2 + b"text") == "\ufefftext"


def test_ascii_stays_as_it_is_with_its_line_ends() -> None:
    assert decode(b"one\r\ntwo\rthree\n\x0cfour\ttab") == "one\r\ntwo\rthree\n\x0cfour\ttab"


def test_utf8_with_a_few_damaged_bytes_is_not_taken_for_another_encoding() -> None:
    data = bytearray((PARAGRAPHS["French"] * 5).encode())
    at = data.index("é".encode(), 100)
    data[at + 1] = 0x20
    text = decode(bytes(data))
    assert text.count("\ufffd") == 1
    assert "observées" in text


@pytest.mark.parametrize(
    ("language", "encoding", "byte"),
    [("French", "cp1252", 0x81), ("Polish", "cp1250", 0x81), ("Russian", "koi8_r", 0xFF)],
)
def test_a_damaged_byte_does_not_change_the_encoding(language: str, encoding: str, byte: int) -> None:
    text = (PARAGRAPHS[language] + "\n") * 5
    data = bytearray(text.encode(encoding))
    at = text.index(" ", 400)
    data[at] = byte
    read = decode(bytes(data))
    assert read[:at] + " " + read[at + 1 :] == text


@pytest.mark.parametrize(("language", "encoding"), [("Japanese", "shift_jis"), ("Chinese", "gb18030")])
def test_a_damaged_byte_in_a_two_byte_encoding(language: str, encoding: str) -> None:
    lines = [PARAGRAPHS[language].encode(encoding)] * 30
    lines[15:15] = [b"\xff"]
    read = decode(b"\n".join(lines)).split("\n")
    assert read[:15] == read[16:31] == [PARAGRAPHS[language]] * 15


def test_a_file_cut_off_inside_a_character_is_read_to_there() -> None:
    whole = PARAGRAPHS["Russian"]
    assert decode(whole.encode()[:-2])[:-1] == whole[:-2]
    assert decode(codecs.BOM_UTF16_LE + whole.encode("utf-16-le")[:-1])[:-1] == whole[:-1]


def test_a_stray_nul_keeps_every_position() -> None:
    words = "word " * 1000
    text = decode((words + "\x00" + words).encode())
    assert "\x00" not in text
    assert len(text) == 2 * len(words) + 1


@pytest.mark.parametrize(
    "data",
    [
        b"\x00" * 500,
        b"text\x00" * 200,
        bytes(range(256)) * 8,
        random.Random(1).randbytes(64),
        random.Random(2).randbytes(1024),
        random.Random(3).randbytes(300_000),
        b"\x89PNG\r\n\x1a\n" + random.Random(4).randbytes(2000),
        codecs.BOM_UTF8 + bytes([1, 2, 3, 4, 5, 6]) * 100,
        codecs.BOM_UTF16_LE + random.Random(5).randbytes(4000),
    ],
)
def test_what_is_not_text_is_refused(data: bytes) -> None:
    with pytest.raises(ReaderError, match="documents.not_text"):
        decode(data)


@pytest.mark.parametrize(
    "text",
    [
        *("Café", "naïve", "El Niño", "Zürich, Köln", "£5 and 20 °C", "Señor Muñoz’s “plan”"),
        *("It’s “fine”", "50 € – 60 €", "the plants—in Broadmeadows—were sold"),
    ],
)
def test_a_few_words_are_read_as_western(text: str) -> None:
    assert decode(text.encode("cp1252")) == text
