"""The child process that reads files: it is used again, replaced, killed; the parent never hangs."""

from __future__ import annotations

import io
import multiprocessing
import shutil
import sys
import threading
import time
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from app.core.documents.document_reader import read_document
from app.core.documents.reading import ReadingProcess
from app.domain.cancel import Cancelled, CancelToken
from app.domain.errors import ReaderStopped, UnreadableFile
from tests.support.format_samples import FOLDER, many_pages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("own_children")]

TOO_DEEP = "is nested too deeply to read. Save it as PDF and add that."


@pytest.fixture
def reading() -> Iterator[ReadingProcess]:
    with ReadingProcess() as process:
        yield process
    assert not children()


def children() -> list[int | None]:
    """Return the readers that run now."""
    return [child.pid for child in multiprocessing.active_children() if child.name == "lectern-reader"]


def refusal(reading: ReadingProcess, path: Path) -> str:
    with pytest.raises(UnreadableFile) as caught:
        reading.read(path, CancelToken())
    return str(caught.value)


def test_one_child_reads_many_files_as_they_are_read_here(reading: ReadingProcess) -> None:
    used = set()
    for sample in sorted(FOLDER.iterdir()):
        try:
            expected = read_document(sample)
        except UnreadableFile as error:
            assert refusal(reading, sample) == str(error)
        else:
            assert reading.read(sample, CancelToken()) == expected
        used.update(children())
    assert len(used) == 1


def test_what_could_not_be_read_of_a_file_is_said(reading: ReadingProcess, tmp_path: Path) -> None:
    path = tmp_path / "notes.ipynb"
    path.write_text('{"cells": ["?", {"cell_type": "markdown", "source": "Owls"}]}', encoding="utf-8")
    document = reading.read(path, CancelToken())
    assert document.text == "Owls"
    assert str(document.unread) == "1 of 2 cells could not be read."


def test_text_is_read_in_the_child_too(reading: ReadingProcess, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Some words.\n", encoding="utf-8")
    assert reading.read(path, CancelToken()).text == "Some words.\n"
    assert len(children()) == 1


def test_names_of_every_kind_reach_the_child(reading: ReadingProcess, tmp_path: Path) -> None:
    path = tmp_path / "Übung 🌊 – ночь.srt"
    shutil.copy(FOLDER / "captions.srt", path)
    assert reading.read(path, CancelToken()).text.startswith("Welcome")


def test_a_dead_child_is_replaced(reading: ReadingProcess) -> None:
    first = reading.read(FOLDER / "page.html", CancelToken())
    (child,) = (child for child in multiprocessing.active_children() if child.name == "lectern-reader")
    before = children()
    child.kill()
    child.join()
    assert reading.read(FOLDER / "page.html", CancelToken()) == first
    assert len(children()) == 1
    assert children() != before


def kill_soon(seconds: float) -> None:
    """Kill the reader, as the system does when memory runs out, once it has had time to begin."""

    def kill() -> None:
        until = time.monotonic() + 60
        while not (readers := readers_running()) and time.monotonic() < until:
            time.sleep(0.01)  # for the process to be started
        time.sleep(seconds)
        for child in readers:
            child.kill()

    threading.Thread(target=kill).start()


def readers_running() -> list[Any]:
    return [child for child in multiprocessing.active_children() if child.name == "lectern-reader"]


def test_a_file_whose_reader_is_killed_can_be_read_again(reading: ReadingProcess, tmp_path: Path) -> None:
    path = tmp_path / "long.pdf"
    path.write_bytes(many_pages(4900))
    kill_soon(0.5)
    with pytest.raises(ReaderStopped, match="long.pdf was not read, perhaps for lack of memory") as caught:
        reading.read(path, CancelToken())
    assert caught.value.undecided
    path.write_bytes(many_pages(3))
    assert reading.read(path, CancelToken()).text


def test_a_child_is_replaced_after_some_hundred_files(reading: ReadingProcess) -> None:
    used = set()
    for _ in range(301):
        reading.read(FOLDER / "page.html", CancelToken())
        used.update(children())
    assert len(used) == 2


def test_a_file_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    path = tmp_path / "endless.pdf"
    path.write_bytes(many_pages(4000))
    with ReadingProcess(seconds=1) as reading:
        began = time.monotonic()
        sentence = refusal(reading, path)
        assert sentence == (
            "endless.pdf took more than 1 second to read, so reading it was stopped. "
            "Split it into smaller files."
        )
        assert time.monotonic() - began < 120  # on a busy machine
        assert not children()


def test_a_file_that_a_slow_disk_delays_is_stopped_without_blame(tmp_path: Path) -> None:
    path = tmp_path / "endless.pdf"
    path.write_bytes(many_pages(4000))
    with (
        ReadingProcess(clock_seconds=1) as reading,
        pytest.raises(ReaderStopped, match="endless.pdf was not read within 1 minute;") as caught,
    ):
        reading.read(path, CancelToken())
    assert caught.value.undecided


def test_cancelling_kills_the_child(reading: ReadingProcess, tmp_path: Path) -> None:
    path = tmp_path / "long.pdf"
    path.write_bytes(many_pages(4900))
    token = CancelToken()
    threading.Timer(0.5, token.cancel).start()
    with pytest.raises(Cancelled):
        reading.read(path, token)
    assert not children()
    assert reading.read(FOLDER / "captions.srt", CancelToken()).text


@pytest.mark.skipif(sys.platform != "linux", reason="only there the system limits a process's memory")
def test_a_file_that_eats_memory_is_stopped(tmp_path: Path) -> None:
    path = tmp_path / "greedy.html"
    path.write_bytes(b"<p>" + b"<b>x</b>" * 3_000_000)
    with ReadingProcess(memory=320 * 2**20) as reading:
        sentence = refusal(reading, path)
    assert sentence in (
        "greedy.html needs too much memory. Split it into smaller files.",
        "Reading greedy.html failed again and again, so it was left out. Save a new copy, or save it as PDF.",
    )


class TestBombs:
    def test_an_archive_that_unpacks_to_too_much(self, reading: ReadingProcess, tmp_path: Path) -> None:
        path = tmp_path / "bomb.docx"
        parts = {"word/document.xml": bytes(200 * 2**20), "[Content_Types].xml": b"<Types/>"}
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in parts.items():
                archive.writestr(name, content)
        assert path.stat().st_size < 2**20
        assert refusal(reading, path) == (
            "bomb.docx would be far too large when unpacked, so it was not opened."
        )

    def test_an_archive_that_lies_about_its_size(self, reading: ReadingProcess, tmp_path: Path) -> None:
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("META-INF/container.xml", bytes(100 * 2**20))
        size = (100 * 2**20).to_bytes(4, "little")
        path = tmp_path / "bomb.epub"
        path.write_bytes(data.getvalue().replace(size, (1000).to_bytes(4, "little")))
        assert (
            refusal(reading, path)
            == "bomb.epub cannot be read: the EPUB file is damaged. If it opens elsewhere, save a copy."
        )

    @pytest.mark.parametrize(
        ("sample", "part"),
        [
            ("lecture.docx", "word/document.xml"),
            ("slides.pptx", "ppt/slides/slide1.xml"),
            ("book.epub", "OPS/book.opf"),
        ],
    )
    def test_entities_in_entities(
        self, reading: ReadingProcess, tmp_path: Path, sample: str, part: str
    ) -> None:
        entities = '<!ENTITY a "haha">' + "".join(
            f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(10)
        )
        path = tmp_path / sample
        with zipfile.ZipFile(FOLDER / sample) as source, zipfile.ZipFile(path, "w") as archive:
            for info in source.infolist():
                content = source.read(info)
                if info.filename == part:
                    declaration, _, rest = content.decode().partition("?>")
                    content = f"{declaration}?><!DOCTYPE x [{entities}]>{rest}&k;".encode()
                archive.writestr(info, content)
        assert refusal(reading, path) == (
            f"{sample} may be harmful (it defines XML entities), so it was not read."
        )

    def test_entities_in_a_web_page(self, reading: ReadingProcess, tmp_path: Path) -> None:
        path = tmp_path / "page.html"
        path.write_text(
            '<!DOCTYPE html [<!ENTITY a "haha"><!ENTITY b "&a;&a;&a;">]><p>This is all &b; of it.</p>',
            encoding="utf-8",
        )
        assert len(reading.read(path, CancelToken()).text) < 200

    def test_far_too_many_pages(self, reading: ReadingProcess, tmp_path: Path) -> None:
        path = tmp_path / "endless.pdf"
        path.write_bytes(many_pages(100_000))
        assert refusal(reading, path) == (
            "endless.pdf has 100,000 pages; Lectern reads up to 5,000 from one file. Split it."
        )

    @pytest.mark.parametrize("depth", [3000, 200_000])
    def test_elements_nested_without_end(self, reading: ReadingProcess, tmp_path: Path, depth: int) -> None:
        path = tmp_path / "deep.html"
        path.write_text(
            "<p>Words." + "<div>" * depth + "end" + "</div>" * depth + "<p>Tail.", encoding="utf-8"
        )
        assert refusal(reading, path) == f"deep.html {TOO_DEEP}"

    @pytest.mark.parametrize("tags", [("<div>", "</div>"), ("<b>", "</b>"), ("<ul><li>", "</li></ul>")])
    def test_elements_nested_as_deep_as_the_parser_goes(
        self, reading: ReadingProcess, tmp_path: Path, tags: tuple[str, str]
    ) -> None:
        path = tmp_path / "deep.html"
        depth = 2000 // tags[0].count("<")
        path.write_text(
            "<p>Words." + tags[0] * depth + "end" + tags[1] * depth + "<p>Tail.", encoding="utf-8"
        )
        assert reading.read(path, CancelToken()).text.endswith("Tail.")

    def test_a_chapter_nested_without_end(self, reading: ReadingProcess, tmp_path: Path) -> None:
        path = tmp_path / "book.epub"
        with zipfile.ZipFile(FOLDER / "book.epub") as source, zipfile.ZipFile(path, "w") as archive:
            for info in source.infolist():
                content = source.read(info)
                if info.filename.endswith(".xhtml"):
                    content = content.replace(b"</body>", b"<div>" * 3000 + b"end</body>")
                archive.writestr(info, content)
        assert refusal(reading, path) == f"book.epub {TOO_DEEP}"

    def test_cells_nested_without_end(self, reading: ReadingProcess, tmp_path: Path) -> None:
        path = tmp_path / "deep.ipynb"
        path.write_text('{"cells": ' + "[" * 100_000, encoding="utf-8")
        assert (
            refusal(reading, path)
            == "deep.ipynb cannot be read: the notebook file is damaged. If it opens elsewhere, save a copy."
        )

    def test_a_huge_file_with_holes(self, tmp_path: Path) -> None:
        for suffix, limit in ((".pdf", "256 MB"), (".txt", "32 MB")):
            path = tmp_path / f"huge{suffix}"
            with path.open("wb") as file:
                file.write(b"%PDF-1.7\n" if suffix == ".pdf" else b"words")
                file.truncate(2 * 2**30)
            began = time.monotonic()
            with (
                ReadingProcess() as reading,
                pytest.raises(UnreadableFile, match=f"is 2 GB; Lectern reads at most {limit} from"),
            ):
                reading.read(path, CancelToken())
            assert time.monotonic() - began < 120  # on a busy machine
