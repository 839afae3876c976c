"""What is read from a small real file of each format: the whole text, and where its parts stand."""

from __future__ import annotations

import io
import shutil
import zipfile
from typing import TYPE_CHECKING

import pytest

from app.core.documents.document_processor import DocumentProcessor
from app.core.documents.document_reader import read_document
from app.core.documents.formats import FORMATS, format_of_name
from app.core.documents.text.passages import ChunkSettings, chunk_document, document_sentences
from app.domain.errors import UnreadableFile
from tests.support.format_samples import FOLDER, LEFT_COLUMN, RIGHT_COLUMN, RIGHT_TO_LEFT

if TYPE_CHECKING:
    from pathlib import Path

    from app.domain.documents import DocumentText

BREAD = (
    "A loaf of bread begins with flour and water. The two are mixed and left to rest, so that the "
    "water can reach every grain. Meanwhile long chains of protein find each other and join. A baker "
    "calls this net gluten, and it is what holds the gas in. Without it the dough would be a heavy "
    "paste. The understanding of this net is young; the use of it is old, and well-known in every "
    "kitchen of the world. Yeast eats the sugar of the flour and gives off gas and alcohol. The gas "
    "blows up the small holes in the dough, and the alcohol leaves in the heat of "
    "the oven."
)

_DEFLATED = zipfile.ZIP_DEFLATED

RUNNING = "\n\nHow Bread Rises Ada Okafor\nBaking School, spring Page 1 of 4"
"""Words that stand nowhere else are kept once."""


def read(name: str) -> DocumentText:
    return read_document(FOLDER / name)


def refusal(path: Path) -> str:
    with pytest.raises(UnreadableFile) as caught:
        read_document(path)
    return str(caught.value)


def parts(document: DocumentText) -> list[tuple[int | float | str, str]]:
    """Cut a text at its anchors: (value, text up to the next one)."""
    ends = [mark.start for mark in document.marks[1:]] + [len(document.text)]
    assert [mark.start for mark in document.marks] == sorted({mark.start for mark in document.marks})
    return [
        (mark.anchor.value, document.text[mark.start : end].strip())
        for mark, end in zip(document.marks, ends, strict=True)
    ]


def kinds(document: DocumentText) -> set[str]:
    return {mark.anchor.kind for mark in document.marks}


class TestWebPages:
    def test_the_content_is_read_without_what_stands_around_it(self) -> None:
        document = read("page.html")
        assert kinds(document) == {"heading"}
        assert parts(document) == [
            (
                "How soap cleans",
                "# How soap cleans\n\nSoap has two ends: one likes water, the other likes fat.",
            ),
            (
                "How soap cleans › At the sink",
                "## At the sink\n\n1. Wet the plate.\n2. Rub it:\n   - front\n   - back\n\n"
                "| Fat | Soap |\n| olive oil | Castile |",
            ),
            (
                "How soap cleans › In numbers",
                "## In numbers\n\nCall `drops(10)` to see it, or compute $c = \\frac{n}{V}$ .\n\n"
                "```python\ndef drops(n):\n    return n * 0.05\n```",
            ),
        ]

    def test_a_page_without_a_main_part(self, tmp_path: Path) -> None:
        page = tmp_path / "old.htm"
        page.write_text(
            "<title>Old page</title><div class='menu'><a href=a>Home</a></div>"
            "<table><tr><td><h2>Left</h2><p>First cell.<td><p>Second cell.</table><p>The end<br>of it.",
            encoding="utf-8",
        )
        assert (
            read_document(page).text
            == "# Old page\n\n## Left\n\nFirst cell.\n\nSecond cell.\n\nThe end\nof it."
        )

    def test_menus_of_a_page_that_does_not_say_what_they_are(self, tmp_path: Path) -> None:
        page = tmp_path / "old.html"
        menu = "".join(f"<li><a href={n}>Page {n}</a></li>" for n in range(9))
        page.write_text(
            f"<table><tr><td><ul>{menu}</ul><td><h1>Salt</h1><p>Salt is old.<ul>"
            "<li><a href=1>A long title of something to read further</a>, a book</ul></table>",
            encoding="utf-8",
        )
        assert read_document(page).text == (
            "# Salt\n\nSalt is old.\n\n- A long title of something to read further, a book"
        )

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252", "iso-8859-15"])
    def test_the_encoding_a_page_declares(self, tmp_path: Path, encoding: str) -> None:
        page = tmp_path / "page.html"
        text = f'<html><head><meta charset="{encoding}"></head><body><p>Café «à côté» für 5 Münzen</p>'
        page.write_bytes(text.encode(encoding))
        assert read_document(page).text == "Café «à côté» für 5 Münzen"

    def test_deep_and_broken_pages_are_still_read(self, tmp_path: Path) -> None:
        page = tmp_path / "page.html"
        page.write_text("<div>" * 150 + "<p>deep</i></b> inside" + "</table>", encoding="utf-8")
        assert read_document(page).text == "deep inside"


class TestPdf:
    def test_columns_are_read_one_after_the_other(self) -> None:
        document = read("two columns.pdf")
        assert document.text == "\n\n".join(
            (
                "How the Sea Breathes\nA page in two columns",
                " ".join(LEFT_COLUMN),
                " ".join(RIGHT_COLUMN),
                "Both columns end above this line, which runs over the whole width of the page again.",
            )
        )
        assert parts(document) == [(1, document.text)]

    def test_headers_footers_and_page_numbers_go_and_cut_words_are_joined(self) -> None:
        document = read("running lines.pdf")
        assert kinds(document) == {"page"}
        numbers = ("one", "two", "three", "four")
        assert parts(document) == [
            (page, f"Chapter {number}\n\n{BREAD}\n\nThis is what only page {number} says.{once}")
            for page, number, once in zip((1, 2, 3, 4), numbers, (RUNNING, "", "", ""), strict=True)
        ]

    def test_tables_and_code(self) -> None:
        assert read("table and code.pdf").text == (
            "Hydration is the weight of water for a hundred parts of flour.\n\n"
            "| Bread | Hydration | Oven |\n| Bagel | 55 | 220 |\n| Baguette | 70 | 250 |\n"
            "| Ciabatta | 85 | 240 |\n\n"
            "The same as a function:\n\n"
            "```\ndef water(flour, hydration):\n    if flour <= 0:\n        return 0\n"
            "    return flour * hydration / 100\n```"
        )

    def test_text_from_right_to_left(self) -> None:
        text = " ".join(read("right to left.pdf").text.split())
        assert text == " ".join(RIGHT_TO_LEFT)

    def test_a_password_and_a_scan(self) -> None:
        assert refusal(FOLDER / "protected.pdf") == (
            "protected.pdf is protected by a password. Save it without one and add it again."
        )
        assert refusal(FOLDER / "scanned.pdf") == (
            "scanned.pdf contains no text; its pages are probably scanned. "
            "Lectern recognizes them once everything else is read, unless the settings say otherwise."
        )


class TestOffice:
    def test_word(self) -> None:
        document = read("lecture.docx")
        assert kinds(document) == {"heading"}
        assert parts(document) == [
            (
                "How Ink Is Made",
                "# How Ink Is Made\n\nInk is colour that can be written with. It needs three things.\n\n"
                "- a colour\n- something that binds it\n- water",
            ),
            (
                "Iron gall ink",
                "# Iron gall ink\n\nOak galls are crushed and boiled. Iron turns the brown water black.",
            ),
            (
                "Iron gall ink › The recipe",
                "## The recipe\n\n1. Crush the galls.\n2. Boil them for an hour.\n3. Add the iron.\n\n"
                "| Part | Grams | Note |\n| Galls | 60 | crushed |\n| Iron sulphate | 40 | green |",
            ),
            (
                "Mixing by program",
                "# Mixing by program\n\n```\nfor part in parts:\n    pot.add(part)\n```\n\n"
                "The share of iron is $\\frac{40}{10^2}$ of the whole.\n\nGum makes it flow.",
            ),
        ]

    def test_powerpoint(self) -> None:
        document = read("slides.pptx")
        assert kinds(document) == {"slide"}
        assert parts(document) == [
            (1, "# Birds on the Move\n\nA lecture by Ada Okafor"),
            (
                2,
                "# Why they leave\n\n- Food runs short\n  - insects are gone by October\n"
                "- Days grow short\n\n"
                "Notes: Ask who has seen cranes this year.\nThen show the map.",
            ),
            (
                3,
                "# How far\n\n| Bird | Kilometres |\n| Swift | 9000 |\n| Arctic tern | 35000 |\n\n"
                "|  | Arrivals |\n| March | 12 |\n| April | 480.5 |",
            ),
            (4, "What stands left\n\nis read second"),
        ]

    @pytest.mark.parametrize("name", ["locked.docx", "locked.pptx", "locked.rtf"])
    def test_a_password(self, tmp_path: Path, name: str) -> None:
        path = tmp_path / name
        container = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + "EncryptedPackage".encode("utf-16-le")
        path.write_bytes(container + bytes(1000))
        assert refusal(path) == f"{name} is protected by a password. Save it without one and add it again."


class TestRtf:
    def test_paragraphs_lists_and_tables(self) -> None:
        document = read("glaciers.rtf")
        assert document.marks == ()
        assert document.text == (
            "How Glaciers Move\n\n"
            "A glacier is a slow river of ice – “eternal” ice, in a café’s view. Its price: 5 € 😀.\n\n"
            "- firn\n- ice\n1. It snows.\n2. It stays.\n\n"
            "| Glacier | Metres a year |\n| Aletsch | 200 |\n| Jakobshavn | 12 600 |\n\n"
            "Polish: zażółć. Русский.\n\nA line break.\n\nThe end, seen here."
        )

    def test_bytes_beyond_ascii_are_read_in_the_encoding_of_the_file(self, tmp_path: Path) -> None:
        path = tmp_path / "raw.rtf"
        path.write_bytes("{\\rtf1\\ansi\\ansicpg1251 Ледник и лёд}".encode("cp1251"))
        assert read_document(path).text == "Ледник и лёд"

    def test_a_file_that_is_only_locked_against_changes_is_read(self, tmp_path: Path) -> None:
        path = tmp_path / "locked.rtf"
        path.write_bytes(
            rb"{\rtf1\ansi{\*\passwordhash 0100000028000000}\formprot\enforceprot1 Everybody may read.\par}"
        )
        assert read_document(path).text == "Everybody may read."

    def test_a_file_that_is_cut_off_is_read_to_there(self, tmp_path: Path) -> None:
        path = tmp_path / "cut.rtf"
        path.write_bytes((FOLDER / "glaciers.rtf").read_bytes()[:600])
        assert read_document(path).text.startswith("How Glaciers Move\n\nA glacier is")

    @pytest.mark.parametrize("content", ["\\uc x", "\\u99999999 x", "{\\pict\\bin x}"])
    def test_damaged_numbers(self, tmp_path: Path, content: str) -> None:
        path = tmp_path / "bad.rtf"
        path.write_text(f"{{\\rtf1 {content}}}", encoding="ascii")
        assert (
            refusal(path)
            == "bad.rtf cannot be read: the RTF file is damaged. If it opens elsewhere, save a copy."
        )


class TestSpreadsheets:
    def test_each_visible_sheet_is_a_heading_with_its_tables(self) -> None:
        document = read("glaciers.xlsx")
        assert kinds(document) == {"heading"}
        assert parts(document) == [
            (
                "Speed",
                "# Speed\n\nHow fast they are\n\n| Glacier | Metres a year |\n| Aletsch | 200 |\n"
                "| Jakobshavn | 12600 |",
            ),
            (
                "Length",
                "# Length\n\n| Glacier | 2019 | 2020 |\n| Aletsch | 22.6 | 22.5 ¦ 22.4 |\n| Fox |  | True |",
            ),
        ]

    def test_values_between_semicolons(self) -> None:
        document = read("glaciers.csv")
        assert document.marks == ()
        assert document.text == "| Glacier | Metres a year |\n| Aletsch | 200 |\n| Jakobshavn | 12600 |"

    @pytest.mark.parametrize(
        ("content", "text"),
        [
            ('a,b\n"one, ""two""\nthree",4\n', '| a | b |\n| one, "two" three | 4 |'),
            ("a\tb\n\n1,5\t2,5\n3,5\t4,5\n", "| a | b |\n| 1,5 | 2,5 |\n| 3,5 | 4,5 |"),
            ("1,2\n3,4\n", "| 1 | 2 |\n| 3 | 4 |"),
            ("only one column\nof words\n", "only one column\n\nof words"),
            ("a,b,,\n1,2,,\n", "| a | b |\n| 1 | 2 |"),
            ("a,b" + "," * 9000 + "far\n1,2\n", "| a | b |\n| 1 | 2 |"),
        ],
    )
    def test_what_divides_the_values_is_found_out(self, tmp_path: Path, content: str, text: str) -> None:
        path = tmp_path / "a.csv"
        path.write_text(content, encoding="utf-8")
        assert read_document(path).text == text

    def test_a_quote_that_is_never_closed(self, tmp_path: Path) -> None:
        path = tmp_path / "inches.csv"
        path.write_text('Pipe,Width\nlead,"2\n' + "iron,3\n" * 40_000, encoding="utf-8")
        assert read_document(path).text.startswith('| Pipe | Width |\n| lead | "2 |\n| iron | 3 |\n')

    def test_every_passage_of_a_long_table_says_what_its_columns_are(self, tmp_path: Path) -> None:
        path = tmp_path / "long.csv"
        rows = [f"glacier {number},{number * 7}" for number in range(500)]
        path.write_text("\n".join(["Glacier,Metres a year", *rows]), encoding="utf-8")
        parsed = DocumentProcessor().parse(read_document(path), path.name)
        chunks = chunk_document(parsed, ChunkSettings(), document_sentences(parsed))
        assert len(chunks) > 10
        assert all(chunk.text.startswith("| Glacier | Metres a year |\n| glacier ") for chunk in chunks)
        assert all(f"| glacier {number} | {number * 7} |" in parsed.text for number in range(500))

    def test_rows_that_are_only_data_are_counted(self, tmp_path: Path) -> None:
        path = tmp_path / "data.csv"
        path.write_text("x,y\n" + "123456789,987654321\n" * 60_000, encoding="utf-8")
        text = read_document(path).text
        assert 1_000_000 < len(text) < 1_010_000
        shown = text.count("123456789")
        assert text.endswith(f"\n\n[{60_000 - shown} more rows]")


class TestOpenDocument:
    def test_a_text(self) -> None:
        document = read("glaciers.odt")
        assert kinds(document) == {"heading"}
        assert parts(document) == [
            ("How Glaciers Move", "# How Glaciers Move\n\nA glacier[1] is a slow river\nof ice."),
            (
                "How Glaciers Move › Ice",
                "## Ice\n\n1. Snow falls.\n  - all winter\n2. It is pressed.\n\n"
                "| Glacier | Metres |\n| 200 | 200 |\n\n"
                "In short v = s over t [Picture: a tongue of ice]\n\nThe margin.\n\n"
                "```\ndef flow():\n    return 200\n```\n\n[1] From Latin.",
            ),
        ]

    def test_a_note_in_a_cell_is_said_once_and_resources_are_no_code(self, tmp_path: Path) -> None:
        path = tmp_path / "notes.odt"
        with zipfile.ZipFile(FOLDER / "glaciers.odt") as sample, zipfile.ZipFile(path, "w") as archive:
            archive.writestr("mimetype", sample.read("mimetype"))
            note = (
                "<text:note><text:note-citation>1</text:note-citation>"
                "<text:note-body><text:p>Since 1864.</text:p></text:note-body></text:note>"
            )
            content = sample.read("content.xml").decode()
            begin, end = content.index("<office:text>"), content.index("</office:text>")
            content = (
                content[: begin + 13]
                + "<table:table><table:table-row><table:table-cell>"
                + f"<text:p>Aletsch{note}</text:p></table:table-cell></table:table-row></table:table>"
                + '<text:p text:style-name="Resources">Maps</text:p>'
                + content[end:]
            )
            archive.writestr("content.xml", content)
        assert read_document(path).text == "| Aletsch[1] |\n\nMaps\n\n[1] Since 1864."

    def test_slides(self) -> None:
        document = read("birds.odp")
        assert kinds(document) == {"slide"}
        assert parts(document) == [
            (1, "# Birds\n\nLeft\n\nRight\n\nBelow\n\nNotes: Show the map."),
            (3, "Arrivals\n\n|  | Cranes |\n| March | 12 |"),
        ]

    @pytest.mark.parametrize("name", ["glaciers.odt", "birds.odp"])
    def test_the_kind_may_be_said_anywhere_in_the_archive(self, name: str, tmp_path: Path) -> None:
        path = tmp_path / name
        with zipfile.ZipFile(FOLDER / name) as sample, zipfile.ZipFile(path, "w", _DEFLATED) as archive:
            for part in sorted(sample.namelist()):
                archive.writestr(part, sample.read(part))
            assert archive.namelist()[-1] == "mimetype"
        assert read_document(path).text == read(name).text

    def test_a_spreadsheet_that_says_its_kind_last(self, tmp_path: Path) -> None:
        path = tmp_path / "glaciers.ods"
        urn = "urn:oasis:names:tc:opendocument:xmlns"
        cells = "".join(
            f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>'
            for text in ("Aletsch", "moves")
        )
        content = (
            f'<office:document-content xmlns:office="{urn}:office:1.0" xmlns:table="{urn}:table:1.0"'
            f' xmlns:text="{urn}:text:1.0"><office:body><office:spreadsheet><table:table table:name="Ice">'
            f"<table:table-row>{cells}</table:table-row></table:table></office:spreadsheet></office:body>"
            "</office:document-content>"
        )
        with zipfile.ZipFile(path, "w", _DEFLATED) as archive:
            archive.writestr("content.xml", content)
            archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
            archive.writestr("META-INF/manifest.xml", "<manifest:manifest/>")
        assert read_document(path).text == "# Ice\n\n| Aletsch | moves |"

    def test_a_password(self, tmp_path: Path) -> None:
        path = tmp_path / "locked.odt"
        shutil.copy(FOLDER / "glaciers.odt", path)
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr("META-INF/manifest.xml", "<manifest:encryption-data/>")
        assert refusal(path) == "locked.odt is protected by a password. Save it without one and add it again."


def test_epub_in_the_order_of_its_spine() -> None:
    document = read("book.epub")
    assert kinds(document) == {"heading"}
    assert parts(document) == [
        ("The Little Book of Clocks", "# The Little Book of Clocks"),
        ("Sundials", "# Sundials\n\nA stick in the ground is the oldest clock."),
        ("Sundials › Noon", "## Noon\n\nAt noon its shadow is shortest."),
        ("Water clocks", "# Water clocks\n\nA bowl with a hole tells the hours by night."),
        ("Sand and fire", "Sand runs through a glass in the same time again and again."),
    ]


def test_a_book_with_protection(tmp_path: Path) -> None:
    path = tmp_path / "bought.epub"
    shutil.copy(FOLDER / "book.epub", path)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(
            "META-INF/encryption.xml",
            "<encryption><EncryptedData>"
            '<EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/>'
            "</EncryptedData></encryption>",
        )
    assert refusal(path) == ("bought.epub is copy-protected. Lectern can only read books without protection.")


def test_a_notebook_cell_by_cell() -> None:
    def rows(first: int, end: int) -> str:
        return "\n".join(f"row {number}" for number in range(first, end))

    document = read("notebook.ipynb")
    assert kinds(document) == {"cell"}
    assert parts(document) == [
        (1, "# Counting waves\n\nWe count waves with a loop."),
        (2, "```python\nwaves = 3\nprint(waves * 2)\n```\n\n```\n6\n```"),
        (4, "```python\nwaves / 0\n```\n\n```\nZeroDivisionError: division by zero\n```"),
        (5, f"```python\nplot(waves)\n```\n\n```\n{rows(0, 18)}\n…\n{rows(394, 400)}\n```"),
        (6, "The end."),
    ]


class TestCaptions:
    def test_cues_become_running_text_with_times(self) -> None:
        document = read("captions.srt")
        assert document.text == (
            "Welcome to the first lesson about glaciers. They move\n\nslowly, a metre a day. - Is that so?"
        )
        assert kinds(document) == {"seconds"}
        assert parts(document) == [
            (1.0, "Welcome to the first lesson"),
            (3.5, "about glaciers. They move"),
            (62.25, "slowly, a metre a day. - Is that so?"),
        ]

    def test_rolling_lines_are_read_once(self) -> None:
        assert parts(read("rolling.vtt")) == [
            (1.0, "ice is a slow river"),
            (3.01, "it flows & bends"),
            (5.0, "under its own weight"),
            (3600.5, "Ada: Any questions?"),
            (3602.0, "Ben: Why is it blue?"),
        ]

    def test_a_cue_that_grows_word_by_word(self, tmp_path: Path) -> None:
        path = tmp_path / "live.srt"
        texts = ["The", "The ice", "The ice moves", "The ice moves.", "At night too."]
        path.write_text(
            "\n".join(f"{n}\n00:00:0{n},000 --> 00:00:0{n},900\n{text}\n" for n, text in enumerate(texts, 1)),
            encoding="utf-8",
        )
        assert " ".join(read_document(path).text.split()) == "The ice moves The ice moves. At night too."


class TestContentDecides:
    @pytest.mark.parametrize(
        ("sample", "called"),
        [
            ("two columns.pdf", "notes.txt"),
            ("lecture.docx", "lecture.pdf"),
            ("slides.pptx", "slides.html"),
            ("book.epub", "book.md"),
            ("glaciers.rtf", "glaciers.doc.txt"),
            ("glaciers.rtf", "glaciers.docx"),
            ("page.html", "page.txt"),
            ("captions.srt", "lecture.txt"),
            ("rolling.vtt", "rolling.srt"),
            ("glaciers.odt", "glaciers.doc.txt"),
            ("birds.odp", "birds.pptx"),
            ("glaciers.xlsx", "glaciers.ods"),
        ],
    )
    def test_a_file_is_read_as_what_it_is(self, tmp_path: Path, sample: str, called: str) -> None:
        path = tmp_path / called
        shutil.copy(FOLDER / sample, path)
        assert read_document(path) == read(sample)

    @pytest.mark.parametrize(
        ("content", "called", "sentence"),
        [
            (
                b"<!DOCTYPE html><p>Sign in",
                "a.pdf",
                "a.pdf is not a valid PDF file. It looks like a web page.",
            ),
            (b"just words", "a.docx", "a.docx is not a valid Word file."),
            (b"just words", "a.ipynb", "a.ipynb is not a valid notebook file."),
            (b"\x89PNG\r\n\x1a\n", "a.epub", "a.epub is not a valid EPUB file."),
            (b"just words", "a.rtf", "a.rtf is not a valid RTF file."),
            (
                b"{]",
                "a.ipynb",
                "a.ipynb cannot be read: the notebook file is damaged. If it opens elsewhere, save a copy.",
            ),
            (
                b"%PDF-1.7\nnothing",
                "a.pdf",
                "a.pdf cannot be read: the PDF file is damaged. If it opens elsewhere, save a copy.",
            ),
            (b"", "a.pdf", "a.pdf is empty."),
            (b"<html><script>x()</script></html>", "a.html", "a.html contains no text."),
        ],
    )
    def test_what_cannot_be_what_it_is_called(
        self, tmp_path: Path, content: bytes, called: str, sentence: str
    ) -> None:
        path = tmp_path / called
        path.write_bytes(content)
        assert refusal(path) == sentence

    @pytest.mark.parametrize("called", ["archive.pdf", "archive.docx", "archive.txt"])
    def test_another_archive(self, tmp_path: Path, called: str) -> None:
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w") as archive:
            archive.writestr("photo.raw", bytes(100))
        path = tmp_path / called
        path.write_bytes(data.getvalue())
        assert refusal(path).startswith(f"{called} is not ")

    def test_markdown_may_begin_with_markup(self, tmp_path: Path) -> None:
        path = tmp_path / "notes.md"
        path.write_text("<h1 align=center>Notes</h1>\n\n# Real\n", encoding="utf-8")
        assert read_document(path).text.strip() == "# Notes\n\n# Real"

    def test_comments_before_a_page_do_not_hide_what_it_is(self, tmp_path: Path) -> None:
        page, notes = tmp_path / "page.txt", tmp_path / "notes.md"
        comments = '<?xml version="1.0"?>\n<!-- a < b -->\n<!---->' + "<!-- saved > here -->\n" * 40
        page.write_text(comments + "<!DOCTYPE html><p>Words.</p>", encoding="utf-8")
        notes.write_text(comments + "# Real", encoding="utf-8")
        assert read_document(page).text == "Words."
        assert read_document(notes).text.split() == ["<?xml", 'version="1.0"?>', "#", "Real"]


@pytest.mark.parametrize("sample", sorted(path.name for path in FOLDER.iterdir()))
def test_every_sample_becomes_passages_that_are_slices_of_its_text(sample: str) -> None:
    if sample in ("protected.pdf", "scanned.pdf"):
        return
    document = read(sample)
    parsed = DocumentProcessor().parse(document, sample)
    chunks = chunk_document(parsed, ChunkSettings(), document_sentences(parsed))
    assert chunks
    assert all(chunk.text == document.text[chunk.start : chunk.end] for chunk in chunks)
    assert not set("\x00\x02\ufffe\ufeff\u00ad") & set(document.text)


@pytest.mark.parametrize("sample", sorted(path.name for path in FOLDER.iterdir()))
def test_anchors_are_of_the_kind_that_the_format_names(sample: str) -> None:
    expected = format_of_name(FOLDER / sample)
    assert expected is not None
    if sample not in ("protected.pdf", "scanned.pdf"):
        assert kinds(read(sample)) == ({expected.anchor} if expected.anchor else set())


def test_there_is_a_sample_of_every_format_with_a_parser() -> None:
    parsed = {one.endings[0] for one in FORMATS if not one.is_plain and one.kind != "picture"}
    assert {path.suffix for path in FOLDER.iterdir()} - {".vtt", ".csv"} == parsed
