from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING

import pytest

from app.core.ingest.discovery import discover
from app.domain.cancel import Cancelled, CancelToken
from app.domain.errors import UserError

if TYPE_CHECKING:
    from pathlib import Path


def write(root: Path, *names: str) -> Path:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"text of {name}", encoding="utf-8")
    return root.resolve()


def names(root: Path) -> list[str]:
    return [file.path.relative_to(root).as_posix() for file in discover([root])]


def test_files_are_in_natural_order_before_those_of_subfolders(tmp_path: Path) -> None:
    root = write(
        tmp_path, "lesson 10.txt", "lesson 2.txt", "a/part 1.md", "Lesson 1.txt", "a/b/x.txt", "a/zz.txt"
    )
    assert names(root) == [
        "Lesson 1.txt",
        "lesson 2.txt",
        "lesson 10.txt",
        "a/part 1.md",
        "a/zz.txt",
        "a/b/x.txt",
    ]


def test_an_empty_folder_has_no_files(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    assert discover([tmp_path]) == []


def test_hidden_and_technical_files_are_ignored(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        "kept.txt",
        ".hidden.txt",
        "~$draft.txt",
        ".git/a.txt",
        "node_modules/b.txt",
        "__MACOSX/c.txt",
    )
    assert names(root) == ["kept.txt"]


def test_size_and_time_are_those_of_the_file(tmp_path: Path) -> None:
    root = write(tmp_path, "a.txt")
    os.utime(root / "a.txt", ns=(1_000, 2_000_000_000))
    (found,) = discover([root])
    assert (found.size, found.mtime_ns, found.skipped, found.failed) == (13, 2_000_000_000, None, None)


def test_a_file_chosen_several_times_is_listed_once(tmp_path: Path) -> None:
    root = write(tmp_path, "in/a.txt", "in/b.txt")
    found = discover([root / "in" / "b.txt", root, root / "in", root / "." / "in" / ".." / "in" / "a.txt"])
    assert [file.path.name for file in found] == ["b.txt", "a.txt"]


def test_other_kinds_of_files_are_listed_with_the_reason(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        "board.JPG",
        "photo.heic",
        "NOTES",
        "later.pdf",
        "now.TXT",
        "a.avi",
        "b.zip",
        "c.json",
        "d.foo",
        "e.py",
    )
    (root / "tool").write_bytes(b"\x7fELF" + bytes(range(256)))
    skipped = {file.path.name: file.skipped and str(file.skipped) for file in discover([root])}
    assert skipped == {
        "board.JPG": None,
        "photo.heic": (
            "Pictures of this kind (.heic) aren't read. Save those that hold text as PNG or JPEG."
        ),
        "a.avi": "Recordings (.avi) are read from their captions. Add an .srt or .vtt file of each.",
        "b.zip": "Archives (.zip) aren't opened. Unpack them and add the folder.",
        "c.json": ".json files hold data or programs. Add what explains them as text or PDF.",
        "d.foo": ".foo files aren't supported. Save them as PDF or text and add those.",
        "tool": "It has no extension, and its content is neither text nor a PDF.",
        "NOTES": None,
        "e.py": None,
        "later.pdf": None,
        "now.TXT": None,
    }


def test_an_individually_chosen_file_may_have_any_extension(tmp_path: Path) -> None:
    root = write(tmp_path, "README")
    (found,) = discover([root / "README"])
    assert found.skipped is None


def test_a_folder_named_like_a_file_is_a_folder(tmp_path: Path) -> None:
    root = write(tmp_path, "book.txt/page.txt")
    (root / "empty.txt").mkdir()
    assert names(root) == ["book.txt/page.txt"]


def test_links_are_not_followed_out_of_the_folder(tmp_path: Path) -> None:
    root = write(tmp_path, "chosen/a.txt", "elsewhere/secret.txt").joinpath("chosen")
    (root / "out.txt").symlink_to(tmp_path / "elsewhere" / "secret.txt")
    (root / "folder").symlink_to(tmp_path / "elsewhere")
    (root / "in.txt").symlink_to(root / "a.txt")
    found = {file.path.name: file.skipped and str(file.skipped) for file in discover([root])}
    assert found == {"a.txt": None, "in.txt": None, "out.txt": "It links to a place outside the folder."}


def test_a_broken_link_cannot_be_read(tmp_path: Path) -> None:
    root = write(tmp_path, "a.txt")
    (root / "b.txt").symlink_to(root / "gone.txt")
    first, second = discover([root])
    assert first.failed is None
    assert second.failed is not None
    assert str(second.failed).startswith("It cannot be opened (No such file")


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("there are no named pipes here")
    os.mkfifo(tmp_path / "pipe.txt")
    (found,) = discover([tmp_path])
    assert str(found.skipped) == "It is not a regular file."


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        discover([tmp_path / "gone"])
    assert str(caught.value) == f"{tmp_path / 'gone'} no longer exists. Choose it again where it is now."


def test_a_missing_path_does_not_stop_the_others(tmp_path: Path) -> None:
    root = write(tmp_path, "in/a.txt")
    gone, present = discover([root / "gone", root / "in"])
    assert gone.path == root / "gone"
    assert gone.failed is not None
    assert "no longer exists" in str(gone.failed)
    assert (present.path.name, present.failed) == ("a.txt", None)


def test_listing_a_folder_can_be_cancelled(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a", encoding="utf-8")
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        discover([tmp_path], token)


def test_a_path_below_a_file_is_named_with_the_reason(tmp_path: Path) -> None:
    root = write(tmp_path, "a.txt")
    with pytest.raises(UserError, match=r"inner\.txt cannot be opened \("):
        discover([root / "a.txt" / "inner.txt"])


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are others there")
def test_a_subfolder_that_cannot_be_listed_is_reported(tmp_path: Path) -> None:
    root = write(tmp_path / "courses", "a.txt", "locked/b.txt", "z/c.txt")
    (root / "locked").chmod(0)
    try:
        found = listed_without_privileges(root)
    finally:
        (root / "locked").chmod(0o700)
    assert found == {
        "a.txt": "",
        "z/c.txt": "",
        "locked": (
            "This folder cannot be opened (Permission denied), so nothing in it was read. "
            "Check its permissions, then add it again."
        ),
    }


LIST = """
import json, os, sys
from pathlib import Path
from app.core.ingest.discovery import discover
if os.getuid() == 0:  # the superuser may read everything
    os.chdir("/")
    os.setuid(65534)
found = discover([Path(sys.argv[1])])
print(json.dumps({os.path.relpath(item.path, sys.argv[1]): str(item.failed or "") for item in found}))
"""


def listed_without_privileges(root: Path) -> dict[str, str]:
    """List a folder in another process, as a user who may not read everything."""
    for folder in root.parents:
        if os.stat(folder).st_uid == os.getuid() and folder.is_relative_to(tempfile.gettempdir()):
            folder.chmod(folder.stat().st_mode | 0o055)
    done = subprocess.run([sys.executable, "-c", LIST, str(root)], capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_a_recording_beside_its_captions_is_not_called_left_out(tmp_path: Path) -> None:
    for name in ("1.en.srt", "1.mp4", "2.vtt", "2.M4A", "3.mp4", "sub/1.mp3"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    found = [file.path.relative_to(tmp_path.resolve()).as_posix() for file in discover([tmp_path])]
    assert found == ["1.en.srt", "2.vtt", "3.mp4", "sub/1.mp3"]
