"""A model that means what the default one does, with all cosines close to 1."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from app.core.embedding.graph import (
    GRAPH,
    TOKENIZER,
    GraphMeta,
    import_openvino,
)
from app.core.embedding.model_export import measure
from app.core.embedding.model_files import find_model
from app.domain.embedding_models import IDENTITY
from tests.support.model_folders import make_model

if TYPE_CHECKING:
    from pathlib import Path


def make_narrow_model(place: Path, default: Path) -> tuple[Path, Path]:
    """Make a model whose cosines are (c + 3) / 4 where the default model's are c.

    Args:
        place: a folder.
        default: the default model's exported graph.

    Returns:
        The model's folder, and the cache directory with its graph. Its weights are no weights: it cannot be
        exported again.
    """
    meta = GraphMeta.read(default)
    dimension = meta.dimension + 1
    model = make_model(place / "model", pooling={"word_embedding_dimension": dimension})
    source = find_model(model, place / "cache")
    source.graph.mkdir(parents=True)
    _write_narrow_graph(default, source.graph)
    meta = replace(
        meta, model_id=source.model_id, sha256=source.sha256, dimension=dimension, probe=(), scale=IDENTITY
    )
    meta.write(source.graph)
    measure(source.graph, meta)
    return model, place / "cache"


def _write_narrow_graph(default: Path, out: Path) -> None:
    openvino = import_openvino()
    operations = openvino.opset13
    graph = openvino.Core().read_model(default / GRAPH)
    vectors = graph.outputs[0].get_node().input_value(0)
    shared = operations.pad(vectors, [0, 0], [0, 1], "constant", np.float32(3**0.5))
    narrow = openvino.Model([operations.multiply(shared, np.float32(0.5))], graph.get_parameters())
    openvino.save_model(narrow, out / GRAPH, compress_to_fp16=True)
    (out / TOKENIZER).write_bytes((default / TOKENIZER).read_bytes())
