from __future__ import annotations

import sys
from pathlib import Path

import platformdirs
import pytest

from app.config import paths
from app.config.paths import resource_path, user_cache_dir, user_config_dir, user_data_dir, user_log_dir
from app.domain.errors import UserError


@pytest.mark.parametrize(
    "name", ["resources/prompts/system.md", "resources/styles", "resources/icons", "docs/courses"]
)
def test_what_comes_with_the_program_is_found(name: str) -> None:
    found = resource_path(name)
    assert found.exists()
    assert found.is_absolute()
    assert found.parts[-len(name.split("/")) :] == tuple(name.split("/"))


def test_what_is_missing_is_said() -> None:
    with pytest.raises(FileNotFoundError, match=r"resources/none\.txt is missing from this installation"):
        resource_path("resources/none.txt")


def test_in_an_installed_wheel_it_lies_under_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site-packages" / "app"
    (package / "resources").mkdir(parents=True)
    (package / "resources" / "note.md").touch()
    monkeypatch.setattr(paths, "_PACKAGE", package)
    assert resource_path("resources/note.md") == package / "resources" / "note.md"


def test_in_a_packaged_program_it_lies_in_the_bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs").mkdir()
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert resource_path("docs") == tmp_path / "docs"
    with pytest.raises(FileNotFoundError):
        resource_path("resources/prompts/system.md")


def test_the_data_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    platform = user_data_dir()
    assert platform.is_absolute()
    assert platform.name == "Lectern"
    monkeypatch.setenv("LECTERN_DATA_DIR", str(tmp_path / "environment"))
    assert user_data_dir() == tmp_path / "environment"
    assert user_data_dir(str(tmp_path / "option")) == tmp_path / "option"
    monkeypatch.setenv("LECTERN_DATA_DIR", "")
    assert user_data_dir() == platform


def test_directories_are_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LECTERN_CONFIG_DIR", "config")
    monkeypatch.setenv("LECTERN_CACHE_DIR", "cache")
    assert user_data_dir("data") == tmp_path / "data"
    assert user_data_dir("~/data") == Path.home() / "data"
    assert user_config_dir() == tmp_path / "config"
    assert user_cache_dir() == tmp_path / "cache"
    assert user_log_dir() == tmp_path / "cache" / "log"


def test_without_settings_they_are_the_platforms_and_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LECTERN_CONFIG_DIR", "LECTERN_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    places = [user_config_dir(), user_cache_dir(), user_log_dir()]
    assert all(place.is_absolute() for place in places)
    assert all("Lectern" in place.parts for place in places)
    assert user_cache_dir() != user_data_dir()


def test_without_a_home_a_sentence_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(*_: object, **__: object) -> str:
        raise RuntimeError("could not determine the home directory")

    monkeypatch.setattr(platformdirs, "user_data_dir", lost)
    with pytest.raises(UserError, match="no home directory.*LECTERN_DATA_DIR"):
        user_data_dir()
    assert user_data_dir("/elsewhere") == Path("/elsewhere").absolute()
