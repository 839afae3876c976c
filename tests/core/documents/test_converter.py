"""Old Office files, converted by a program in the place of LibreOffice, and by it where it is installed."""

from __future__ import annotations

import hashlib
import sys
import threading
from pathlib import Path

import pytest

from app.core.documents import libreoffice
from app.core.documents.document_reader import read_document
from app.core.documents.formats import COMPOUND, why_not_read
from app.core.documents.libreoffice import CONVERTED, convert, find_libreoffice
from app.core.documents.reading import Converter, ReadingProcess
from app.domain.cancel import Cancelled, CancelToken
from app.domain.errors import FileNotOpened, ReaderStopped, UnreadableFile
from tests.support.format_samples import FOLDER

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="a script is no program there"),
    pytest.mark.usefixtures("own_children"),
]

OLD = COMPOUND + bytes(600)
HANGING = """
import fcntl, subprocess, time
lock = open({lock!r}, "w")
fcntl.flock(lock, fcntl.LOCK_EX)
# It has the lock as well, for as long as it runs.
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], pass_fds=[lock.fileno()])
open({started!r}, "w").close()
time.sleep(600)
"""


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where the only program that counts as LibreOffice can be put."""
    monkeypatch.setattr(libreoffice, "PLACES", {})
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    (tmp_path / "bin").mkdir()
    return tmp_path / "bin" / "soffice"


def install(office: Path, code: str) -> None:
    """Install a program that finds out what to convert, and to what, and then runs ``code``."""
    head = "import pathlib, shutil, sys\n*_, kind, _, folder, source = sys.argv\n"
    office.write_text(f"#!{sys.executable}\n{head}{code}", encoding="utf-8")
    office.chmod(0o755)


def old_file(folder: Path, name: str = "lecture.doc") -> Path:
    path = folder / name
    path.write_bytes(OLD)
    return path


@pytest.mark.parametrize("sample", ["lecture.docx", "slides.pptx"])
def test_an_old_file_is_read_as_the_new_one_and_keeps_its_name_and_digest(
    office: Path, tmp_path: Path, sample: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LECTERN_CACHE_DIR", str(tmp_path / "cache"))
    killed = tmp_path / "cache" / ".lectern-moving-killed"
    killed.mkdir(parents=True)
    (killed / "document.docx").write_bytes(b"what a killed process left")
    install(office, f"shutil.copy({str(FOLDER / sample)!r}, pathlib.Path(folder, 'document.' + kind))")
    old = tmp_path / ("lecture.DOC" if sample == "lecture.docx" else "slides.ppt")
    old.write_bytes(OLD)
    with ReadingProcess() as reading:
        document = reading.read(old, CancelToken())
    assert document == read_document(FOLDER / sample)
    assert document.sha256 == hashlib.sha256(OLD).hexdigest()
    assert not list((tmp_path / "cache").iterdir())


def test_a_file_that_is_only_called_so_is_read_as_it_is(office: Path, tmp_path: Path) -> None:
    install(office, "raise SystemExit(1)")
    path = tmp_path / "letter.doc"
    path.write_text(r"{\rtf1 Dear Ada\par}", encoding="ascii")
    with ReadingProcess() as reading:
        assert reading.read(path, CancelToken()).text == "Dear Ada"


def test_what_libreoffice_cannot_open_and_what_is_gone(office: Path, tmp_path: Path) -> None:
    install(office, "raise SystemExit(1)")
    with ReadingProcess() as reading:
        with pytest.raises(UnreadableFile, match="^lecture.doc cannot be read: LibreOffice cannot open it"):
            reading.read(old_file(tmp_path), CancelToken())
        with pytest.raises(FileNotOpened, match="^gone.doc no longer exists"):
            reading.read(tmp_path / "gone.doc", CancelToken())


@pytest.mark.parametrize("ending", sorted(CONVERTED))
def test_without_libreoffice_a_sentence_says_what_to_do(office: Path, tmp_path: Path, ending: str) -> None:
    path = old_file(tmp_path, f"lecture{ending}")
    sentence = (
        f"Lectern reads {ending} files only if LibreOffice is installed. "
        f"Install it, or save the file as {CONVERTED[ending]} or PDF and add that."
    )
    assert str(why_not_read(path, 600)) == sentence
    with pytest.raises(UnreadableFile) as caught:
        read_document(path)
    assert str(caught.value) == sentence
    install(office, "")
    assert why_not_read(path, 600) is None


def test_whatever_it_started_ends_when_the_reading_is_cancelled(office: Path, tmp_path: Path) -> None:
    import fcntl  # not on Windows

    lock, started = tmp_path / "lock", tmp_path / "started"
    install(office, HANGING.format(lock=str(lock), started=str(started)))
    token = CancelToken()

    def cancel() -> None:
        while not started.exists():
            pass
        token.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    with ReadingProcess() as reading, pytest.raises(Cancelled):
        reading.read(old_file(tmp_path), token)
    thread.join()
    with lock.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # returns once both have ended


@pytest.mark.slow
def test_a_program_that_takes_too_long_is_ended(office: Path, tmp_path: Path) -> None:
    lock, started = tmp_path / "lock", tmp_path / "started"
    install(office, HANGING.format(lock=str(lock), started=str(started)))
    converter = Converter(seconds=3)
    with pytest.raises(ReaderStopped, match="^lecture.doc took more than 3 seconds to read"):
        converter.converted(old_file(tmp_path), CancelToken())
    converter.close()


def test_a_snap_of_libreoffice_cannot_be_run(
    office: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(office, "")
    (tmp_path / "snap").mkdir()
    office.parent.rename(tmp_path / "snap" / "bin")
    monkeypatch.setenv("PATH", str(tmp_path / "snap" / "bin"))
    assert find_libreoffice() is None


@pytest.mark.skipif(find_libreoffice() is None, reason="LibreOffice is not installed")
@pytest.mark.parametrize("sample", ["lecture.docx", "slides.pptx"])
def test_libreoffice_itself_confined_as_it_is(
    tmp_path: Path, sample: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = find_libreoffice()
    assert program is not None
    ending = next(old for old, new in CONVERTED.items() if new == Path(sample).suffix)
    with monkeypatch.context() as reverse:
        reverse.setitem(CONVERTED, Path(sample).suffix, ending)  # to make an old file of the new one
        made = convert(program, (FOLDER / sample).read_bytes(), Path(sample).suffix, tmp_path)
    assert made is not None
    assert made.read_bytes().startswith(COMPOUND)
    with ReadingProcess() as reading:
        found = reading.read(made, CancelToken())
    expected = read_document(FOLDER / sample)
    words = {word for word in expected.text.split() if word.isalpha()}
    assert words <= set(found.text.split())
    assert [mark.anchor for mark in found.marks] == [mark.anchor for mark in expected.marks]
