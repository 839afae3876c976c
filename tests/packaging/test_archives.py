"""The archives around the program: reproducible, with the licences of everything inside."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import subprocess
import sys
import tarfile
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from app import __version__
from resources.packaging import deb, licences, tarball
from resources.packaging.icons import APP_ID, MACOS_SIZES, WINDOWS_SIZES, make_icons

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

linux_only = pytest.mark.skipif(
    not sys.platform.startswith("linux") or not shutil.which("readelf") or not shutil.which("xz"),
    reason="packed on Linux, with binutils and xz",
)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A small stand-in for the packaged program."""
    folder = tmp_path / "lectern"
    (folder / "_internal").mkdir(parents=True)
    shutil.copy(shutil.which("sleep") or "/bin/sleep", folder / "lectern")
    for name in ("b.txt", "a é.txt"):
        (folder / "_internal" / name).write_text(name, encoding="utf-8")
    (folder / "_internal" / "link.txt").symlink_to("b.txt")
    return folder


def later(folder: Path) -> Path:
    """Return a copy of the folder with other times and modes."""
    copy = folder.parent / "again" / "lectern"
    shutil.copytree(folder, copy, symlinks=True)
    for path in copy.rglob("*"):
        if not path.is_symlink():
            os.utime(path, (2_000_000_000, 2_000_000_000))
            path.chmod(path.stat().st_mode & 0o700)
    return copy


@linux_only
def test_the_archive_is_the_same_each_time_and_belongs_to_root(program: Path, tmp_path: Path) -> None:
    first = tarball.pack(program, tmp_path / "one")
    assert first.read_bytes() == tarball.pack(later(program), tmp_path / "two").read_bytes()
    with tarfile.open(first) as archive:
        entries = archive.getmembers()
    assert {(one.uname, one.gname, one.uid, one.gid) for one in entries} == {("root", "root", 0, 0)}
    assert len({one.mtime for one in entries}) == 1
    names = {one.name.removeprefix(f"lectern-{__version__}-linux-") for one in entries}
    machine = first.name.rpartition("linux-")[2].removesuffix(".tar.xz")
    wanted = ("install.sh", "README.txt", "LICENSE.txt", "lectern/lectern", "lectern/_internal/link.txt")
    assert {f"{machine}/{name}" for name in wanted} <= names


@linux_only
@pytest.mark.skipif(shutil.which("dpkg-shlibdeps") is None, reason="needs dpkg-dev")
def test_the_debian_package_is_the_same_each_time_and_asks_for_what_it_needs(
    program: Path, tmp_path: Path
) -> None:
    first = deb.build(program, tmp_path / "one")
    assert first.read_bytes() == deb.build(later(program), tmp_path / "two").read_bytes()
    control = subprocess.run(["dpkg-deb", "-f", first], capture_output=True, text=True, check=True).stdout
    fields = dict(line.split(": ", 1) for line in control.splitlines() if ": " in line and line[0] != " ")
    assert fields["Version"] == __version__
    assert "libc6 (>= " in fields["Depends"]
    assert int(fields["Installed-Size"]) > 0
    listed = subprocess.run(["dpkg-deb", "-c", first], capture_output=True, text=True, check=True).stdout
    assert all(" root/root " in line for line in listed.splitlines())
    assert "./usr/bin/lectern -> ../lib/lectern/lectern" in listed
    assert f"./usr/share/applications/{APP_ID}.desktop" in listed
    scripts = subprocess.run(["dpkg-deb", "-I", first], capture_output=True, text=True, check=True).stdout
    assert "postinst" not in scripts


@linux_only
def test_a_library_that_the_builder_lacks_is_named_at_once(program: Path, tmp_path: Path) -> None:
    needs = (program / "lectern").read_bytes().replace(b"libc.so.6", b"libx.so.6")
    (program / "lectern").write_bytes(needs)
    with pytest.raises(SystemExit, match=r"The program needs libx\.so\.6, which this computer does not have"):
        deb.build(program, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@linux_only
@pytest.mark.parametrize(
    ("tool", "file"),
    [
        (["desktop-file-validate"], f"{APP_ID}.desktop"),
        (["appstreamcli", "validate", "--no-net"], f"{APP_ID}.metainfo.xml"),
    ],
)
def test_menu_entry_and_metainfo_are_valid(tool: list[str], file: str, tmp_path: Path) -> None:
    if shutil.which(tool[0]) is None:
        pytest.skip(f"{tool[0]} is not installed")
    from resources.packaging.linux_parts import filled

    target = tmp_path / file
    target.write_text(filled(file), encoding="utf-8")
    done = subprocess.run([*tool, target], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_icons_are_drawn_in_every_size(tmp_path: Path) -> None:
    make_icons(tmp_path)
    with Image.open(tmp_path / "lectern.ico") as icon:
        assert icon.info["sizes"] == {(size, size) for size in WINDOWS_SIZES}
    with Image.open(tmp_path / "lectern.icns") as icon:
        assert icon.size == (max(MACOS_SIZES), max(MACOS_SIZES))
    with Image.open(tmp_path / "hicolor/48x48/apps" / f"{APP_ID}.png") as icon:
        assert icon.size == (48, 48)
        pixels = icon.convert("RGBA")
        assert pixels.getpixel((0, 0)) == (0, 0, 0, 0)
        assert pixels.getpixel((24, 4)) == (0x23, 0x69, 0x5B, 255)


def files_of(name: str, ending: str) -> list[str]:
    files = importlib.metadata.distribution(name).files or []
    return [str(file.locate()) for file in files if str(file).endswith(ending)]


def test_licences_are_those_of_the_files_inside(tmp_path: Path) -> None:
    compiled = ".pyd" if sys.platform == "win32" else ".so"
    target = tmp_path / "made" / "THIRD_PARTY_LICENSES.txt"
    sources = [*files_of("nh3", compiled), *files_of("shiboken6", ".pyi")]
    sources += [*files_of("pyside6-essentials", "QtSvg.pyi"), __file__]
    licences.write_licences(target, sources)
    text = target.read_text(encoding="utf-8")
    listed = text.partition("Lectern uses Qt")[0]
    assert all(f"\n{name} " in listed for name in ("nh3", "PySide6_Essentials", "shiboken6", "Python"))
    assert "lxml" not in listed
    assert "ammonia" in listed  # compiled into nh3, says its bill of materials
    assert "all-MiniLM-L6-v2 (the embedding model): Apache-2.0" in listed
    assert "SQLite: public domain" in listed
    assert "You may replace them" in " ".join(text.split())
    assert text.count("GNU LESSER GENERAL PUBLIC LICENSE\n") == 1  # of two that share it


def test_what_must_not_be_inside_or_has_no_known_origin_stops_the_build(tmp_path: Path) -> None:
    strays = [tmp_path / "libreadline.so.8", tmp_path / "libsomething.so"]
    for stray in strays:
        stray.write_bytes(b"")
    with pytest.raises(licences.UnknownOriginError) as raised:
        licences.components(map(str, strays))
    assert "libreadline.so.8: may be distributed under the GPL only" in str(raised.value)
    assert "libsomething.so: of unknown origin" in str(raised.value)
