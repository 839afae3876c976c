"""Makes an exported model with a large table of words compact, on disk and in memory."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from app.core.embedding.graph import (
    GRAPH,
    GRAPH_WEIGHTS,
    TABLE,
    TOKENIZER,
    WORDS,
    EmbeddingGraph,
    import_openvino,
)
from app.core.embedding.scale import PASSAGES
from app.core.embedding.word_table import can_pack, write_packed
from app.domain.cancel import CancelToken

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from openvino import Model, Node  # type: ignore[import-untyped]

    from app.core.embedding.graph import GraphMeta

_LARGE = 20_000_000  # weights; the default model's table has 12 million and stays as it is
_LIKE_EXACT = 0.98  # cosine to the exact vector that each compact one needs


def make_compact(folder: Path, meta: GraphMeta) -> None:
    """Take a large table of words out of the graph in ``folder``, unless the vectors would suffer."""
    graph = import_openvino().Core().read_model(folder / GRAPH)
    table = _table_of(graph)
    if table is None:
        return
    exact = EmbeddingGraph(folder).embed_passages(PASSAGES, CancelToken())
    with TemporaryDirectory(dir=folder.parent) as place:
        draft = Path(place)
        write_packed(_weights_of(table), draft / TABLE)
        _feed_words(graph, table)
        import_openvino().save_model(graph, draft / GRAPH, compress_to_fp16=True)
        del graph, table  # which hold the files of the folder
        shutil.copy(folder / TOKENIZER, draft / TOKENIZER)
        meta.write(draft)
        vectors = EmbeddingGraph(draft).embed_passages(PASSAGES, CancelToken())
        if float((vectors * exact).sum(axis=1).min()) < _LIKE_EXACT:
            return
        for name in (TABLE, GRAPH, GRAPH_WEIGHTS):
            (draft / name).replace(folder / name)
    meta.write(folder)


def _table_of(graph: Model) -> Node | None:
    """Return the node that looks up the rows of words, where the table is large."""
    for node in graph.get_ops():
        if node.get_type_name() != "Gather" or _source(node, 1).get_friendly_name() != "input_ids":
            continue
        table = _source(node, 0)
        if table.get_type_name() == "Constant" and np.prod(table.shape) > _LARGE and can_pack(table.data):
            return node
    return None


def _source(node: Node, port: int) -> Node:
    """Return what gives an input its values, in whatever type."""
    source = node.input_value(port).get_node()
    while source.get_type_name() == "Convert":
        source = source.input_value(0).get_node()
    return source


def _weights_of(table: Node) -> NDArray[np.generic]:
    weights: NDArray[np.generic] = _source(table, 0).data
    return weights


def _feed_words(graph: Model, table: Node) -> None:
    """Let the graph be fed with rows of the table instead of looking them up."""
    operations = import_openvino().opset13
    rows = operations.parameter([-1, -1, _weights_of(table).shape[1]], np.float32, name=WORDS)
    table.output(0).replace(rows.output(0))
    rows.output(0).set_names({WORDS})  # after it was given the names of what it replaces
    graph.add_parameters([rows])
    graph.validate_nodes_and_infer_types()
