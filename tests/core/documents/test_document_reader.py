"""Files on disk, good and bad, through the one reader function."""

from __future__ import annotations

import errno
import multiprocessing
import os
import pickle
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import IO, cast

import pytest

from app.core.documents.document_reader import read_document
from app.core.documents.formats import ENDINGS, FORMATS, UNREAD_ENDINGS, why_not_opened, why_not_read
from app.domain.documents import Anchor, AnchorMark, DocumentText
from app.domain.errors import UnreadableFile


def refusal(path: Path) -> str:
    """Return the sentence that a file is refused with, and check that it is one for a person."""
    with pytest.raises(UnreadableFile) as caught:
        read_document(path)
    sentence = str(caught.value)
    assert str(path.parent) not in sentence
    assert "\n" not in sentence
    assert sentence.isprintable()
    return sentence


@pytest.mark.parametrize("suffix", [".txt", ".text", ".md", ".markdown", ".TXT", ".Md"])
def test_the_text_is_the_file_with_its_newlines_as_lf(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"notes{suffix}"
    path.write_bytes("\ufeff  # One\r\ntwo\t \rthree\n\n".encode())
    assert read_document(path).text == "  # One\ntwo\t \nthree\n\n"


def test_markdown_has_an_anchor_at_each_heading_and_plain_text_has_none(tmp_path: Path) -> None:
    content = "intro\r\n\r\n# A\r\ntext\r\n## B\r\n"
    for name in ("a.md", "a.txt"):
        (tmp_path / name).write_bytes(content.encode())
    document = read_document(tmp_path / "a.md")
    assert document.marks == (
        AnchorMark(document.text.index("# A"), Anchor("heading", "A")),
        AnchorMark(document.text.index("## B"), Anchor("heading", "A › B")),
    )
    assert read_document(tmp_path / "a.txt").marks == ()


def test_the_content_decides_on_the_encoding(tmp_path: Path) -> None:
    path = tmp_path / "cours.txt"
    text = "Été à Évry : où êtes-vous allés ? Nous sommes restés près de la forêt, malgré la chaleur.\n"
    for encoding in ("cp1252", "utf-16", "utf-8-sig", "mac_roman"):
        path.write_bytes(text.encode(encoding))
        assert read_document(path).text == text


@pytest.mark.parametrize("suffix", sorted(UNREAD_ENDINGS))
def test_other_course_material_is_not_yet_read(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"lecture{suffix.upper()}"
    path.write_bytes(b"text")
    assert refusal(path) == f"{suffix} files aren't supported yet. Save it as PDF and add that."


def test_formats_do_not_overlap() -> None:
    assert not ENDINGS & UNREAD_ENDINGS
    assert len(ENDINGS) == sum(len(one.endings) for one in FORMATS)
    assert len({one.kind for one in FORMATS}) == len(FORMATS)
    assert {".txt", ".md", ".html", ".htm", ".rtf", ".pdf", ".docx", ".pptx", ".epub"} <= ENDINGS
    assert {".ipynb", ".srt", ".vtt"} <= ENDINGS
    assert {".odt", ".odp", ".xlsx", ".csv"} <= ENDINGS


def test_unknown_kinds_are_refused(tmp_path: Path) -> None:
    (tmp_path / "tool.exe").write_bytes(b"text")
    assert refusal(tmp_path / "tool.exe").startswith("tool.exe cannot be read. Lectern reads .txt, .md, ")


def test_the_content_of_a_file_without_an_ending_tells_its_format(tmp_path: Path) -> None:
    captions = b"WEBVTT\n\n00:01.000 --> 00:02.000\ntext"
    contents = {"NOTES": b"text", "page": b"<!DOCTYPE html><p>text", "said": captions}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
        assert read_document(tmp_path / name).text == "text"
    (tmp_path / "tool").write_bytes(b"\x7fELF" + bytes(range(256)))
    assert refusal(tmp_path / "tool") == "tool is not text."


@pytest.mark.parametrize(
    "content", [b"", b"\xef\xbb\xbf", b" \r\n\t\n ", b"\xff\xfe", "\u3000\u00a0\n".encode()]
)
def test_empty_files(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "empty.txt"
    path.write_bytes(content)
    assert refusal(path) == "empty.txt is empty."


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (bytes(range(256)) * 20, "x.txt is not text."),
        (b"\x00" * 64, "x.txt is not text."),
        (
            b"%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj",
            "x.txt cannot be read: the PDF file is damaged. If it opens elsewhere, save a copy.",
        ),
        (b"PK\x03\x04" + bytes(60), "x.txt is not text."),
        (b"\x89PNG\r\n\x1a\n" + bytes(60), "x.txt is not text."),
    ],
)
def test_a_file_that_only_says_it_is_text(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(content)
    assert refusal(path) == sentence


def test_a_large_file_is_refused_with_its_size_and_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "big.txt"
    with path.open("wb") as file:
        file.truncate(33 * 2**20)
    sentence = refusal(path)
    assert sentence.startswith("big.txt is 33 MB; Lectern reads at most 32 MB ")
    assert "Split it" in sentence


@pytest.mark.slow
def test_more_sentences_than_any_prose_has(tmp_path: Path) -> None:
    path = tmp_path / "headings.md"
    path.write_bytes(b"# h\n" * 500_001)
    assert refusal(path) == (
        "headings.md has 500,002 sentences; Lectern reads up to 500,000 from one file. Split it."
    )


def test_why_a_file_is_not_read_is_known_by_name_and_size() -> None:
    assert why_not_read(Path("a.txt"), 2**25) is None
    assert why_not_read(Path("a.pdf"), 2**26) is None
    assert str(why_not_read(Path("a.txt"), 2**26)).startswith("a.txt is 64 MB; Lectern reads at most 32 MB")
    assert str(why_not_read(Path("a.key"), 1)).startswith(".key files aren't supported yet.")


def test_what_is_gone_or_no_file(tmp_path: Path) -> None:
    assert refusal(tmp_path / "gone.txt") == "gone.txt no longer exists."
    assert refusal(tmp_path / "nowhere" / "a.txt") == "a.txt no longer exists."
    folder = tmp_path / "folder.md"
    folder.mkdir()
    assert refusal(folder) == "folder.md is a folder, not a file."


@pytest.mark.skipif(sys.platform == "win32", reason="permissions and pipes are others there")
def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    locked = tmp_path / "locked.txt"
    locked.write_bytes(b"text")
    locked.chmod(0)
    if os.access(locked, os.R_OK):  # the superuser may read everything
        assert read_document(locked).text == "text"
    else:
        assert refusal(locked) == "locked.txt cannot be opened: you do not have permission to read it."
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    assert refusal(pipe) == "pipe.txt is not a regular file."
    loop = tmp_path / "loop.txt"
    loop.symlink_to(loop)
    assert refusal(loop).startswith("loop.txt cannot be read: too many levels of symbolic links")
    (tmp_path / "file.txt").write_bytes(b"text")
    assert refusal(tmp_path / "file.txt" / "inner.txt") == "inner.txt no longer exists."
    assert "cannot be read: file name too long" in refusal(tmp_path / ("n" * 300 + ".txt"))


def test_a_name_that_no_system_opens(tmp_path: Path) -> None:
    assert "Rename it." in refusal(tmp_path / "a\x00b.txt")


@pytest.mark.skipif(sys.platform == "win32", reason="such names cannot be made there")
def test_names_are_shown_clean_and_short(tmp_path: Path) -> None:
    name = "bad\n\x1b[31m\u202ename" + "x" * 150 + ".txt"
    (tmp_path / name).write_bytes(b"")
    sentence = refusal(tmp_path / name)
    assert sentence.startswith("bad \ufffd[31m\ufffdname")
    assert sentence.endswith("… is empty.")
    assert len(sentence) < 100


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not allow such bytes in names")
def test_a_name_that_is_not_unicode(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt"))
    path.write_bytes(b"")
    assert refusal(path) == "caf\ufffd.txt is empty."


class BusyPath(type(Path())):  # type: ignore[misc]  # the class of this system's paths
    """A path whose file another program adds to, the first ``writes`` times just after it is opened."""

    writes = 0

    def open(self, *args: object, **options: object) -> IO[bytes]:
        file = super().open(*args, **options)
        if self.writes:
            self.writes -= 1
            with Path(self).open("ab") as other:
                other.write(b"more\n")
        return cast("IO[bytes]", file)


def test_a_file_that_changes_while_it_is_read_is_read_once_more(tmp_path: Path) -> None:
    path = BusyPath(tmp_path / "growing.txt")
    path.write_bytes(b"line\n")
    path.writes = 1
    assert read_document(path).text == "line\nmore\n"


def test_a_file_that_changes_all_the_time_is_refused(tmp_path: Path) -> None:
    path = BusyPath(tmp_path / "growing.txt")
    path.write_bytes(b"line\n")
    path.writes = 2
    assert refusal(path) == "growing.txt is still being written. Add it again when that is finished."


def test_reading_works_in_a_child_process_and_so_do_refusals(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.md", tmp_path / "bad.txt"
    good.write_bytes(b"# Title\ntext")
    bad.write_bytes(b"")
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        document = pool.submit(read_document, good).result()
        error = pool.submit(read_document, bad).exception()
    assert document == DocumentText("# Title\ntext", (AnchorMark(0, Anchor("heading", "Title")),))
    assert isinstance(error, UnreadableFile)
    assert str(error) == "bad.txt is empty."
    assert pickle.loads(pickle.dumps(document)) == document


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (FileNotFoundError(errno.ENOENT, "No such file"), "a.txt no longer exists."),
        (NotADirectoryError(), "a.txt no longer exists."),
        (PermissionError(), "a.txt cannot be opened: you do not have permission to read it."),
        (IsADirectoryError(), "a.txt is a folder, not a file."),
        (OSError(errno.ENAMETOOLONG, "File name too long"), "a.txt cannot be read: file name too long."),
        (OSError(errno.EIO, "Input/output error"), "a.txt cannot be read: input/output error."),
        (OSError(), "a.txt cannot be read: unknown error."),
    ],
)
def test_what_the_system_says_in_a_sentence(error: OSError, sentence: str) -> None:
    assert str(why_not_opened(error, "a.txt")) == sentence
