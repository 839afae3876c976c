"""Builds the graph of a BERT model straight from its weights, within a second and without PyTorch.

Lectern's two models, and most others of sentence-transformers, are BERTs whose tokens' vectors are averaged.
"""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from app.core.embedding.graph import GRAPH, TABLE, TOKENIZER, WORDS, GraphMeta, import_openvino
from app.core.embedding.model_files import WEIGHTS, read_object
from app.core.embedding.tokens import can_pack, write_packed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray
    from openvino import Model, Node  # type: ignore[import-untyped]

    Weights = Callable[[str], NDArray[np.float32]]

_LARGE = 20_000_000  # weights of words; the default model's table has 12 million and stays in the graph
_WITHOUT_ATTENTION = -1e9  # added to the scores of padding


def can_build(folder: Path) -> bool:
    """Return whether the sentence-transformers model in ``folder`` is one that :func:`build` knows."""
    config, pooling = read_object(folder / "config.json"), read_object(folder / "1_Pooling" / "config.json")
    modes = [mode for mode, chosen in pooling.items() if mode.startswith("pooling_mode") and chosen]
    return (
        _is_plain_bert(config)
        and (modes == ["pooling_mode_mean_tokens"] or pooling.get("pooling_mode") == "mean")
        and not (folder / "2_Dense").exists()
        and not read_object(folder / "sentence_bert_config.json").get("do_lower_case")
        and (folder / TOKENIZER).is_file()
    )


def _is_plain_bert(config: dict[str, Any]) -> bool:
    return (
        config.get("model_type") == "bert"
        and config.get("hidden_act") == "gelu"
        and config.get("position_embedding_type", "absolute") == "absolute"
    )


def build(folder: Path, out: Path, meta: GraphMeta) -> GraphMeta:
    """Write graph, tokenizer, ``meta.json`` and checksums into ``out``; return the metadata.

    Raises SafetensorError, KeyError or ValueError if the weights are not those of the configuration.
    """
    config = read_object(folder / "config.json")
    _write(folder, config, out)
    prompts = read_object(folder / "config_sentence_transformers.json").get("prompts", {})
    passage = [prompts[name] for name in ("document", "passage", "corpus") if prompts.get(name)]
    positions = int(config["max_position_embeddings"])
    limit = int(read_object(folder / "sentence_bert_config.json").get("max_seq_length") or positions)
    meta = replace(
        meta,
        dimension=int(config["hidden_size"]),
        max_tokens=min(limit, positions),
        pad_id=int(config.get("pad_token_id") or 0),
        query_prefix=str(prompts.get("query") or ""),
        passage_prefix=str(passage[0]) if passage else "",
    )
    meta.write(out)
    return meta


def _write(folder: Path, config: dict[str, Any], out: Path) -> None:
    """Write the graph that is made of the weights in ``folder``, and the tokenizer."""
    from safetensors import safe_open  # only the child process needs it

    with safe_open(folder / WEIGHTS, framework="numpy") as file:
        prefix = "" if "embeddings.LayerNorm.weight" in file.keys() else "bert."  # noqa: SIM118 (no mapping)

        def weights(name: str) -> NDArray[np.float32]:
            return np.asarray(file.get_tensor(prefix + name), np.float32)

        graph = _Builder(config, weights, out).graph()
    import_openvino().save_model(graph, out / GRAPH, compress_to_fp16=True)
    shutil.copy(folder / TOKENIZER, out / TOKENIZER)


class _Builder:
    def __init__(self, config: dict[str, Any], weights: Weights, out: Path) -> None:
        self._config = config
        self._out = out
        self._weights = weights
        self._op = import_openvino().opset13

    def graph(self) -> Model:
        """Return the graph from tokens to vectors of length 1."""
        op = self._op
        ids = self._input("input_ids", [-1, -1], np.int64)
        mask = self._input("attention_mask", [-1, -1], np.int64)
        inputs, words = [ids, mask], self._weights("embeddings.word_embeddings.weight")
        if words.size > _LARGE and can_pack(words):
            write_packed(words, self._out / TABLE)
            rows = self._input(WORDS, [-1, -1, words.shape[1]], np.float32)
            inputs.append(rows)
        else:
            rows = op.gather(op.constant(words), ids, np.int64(0))
        kind = op.constant(self._weights("embeddings.token_type_embeddings.weight")[0])
        states = self._states(rows, ids, mask, kind)
        read = op.unsqueeze(op.convert(mask, "f32"), np.array([2]))
        summed = op.reduce_sum(op.multiply(states, read), np.array([1]))
        # Of equal direction to the mean, which is all that counts once the length is 1.
        return import_openvino().Model([op.normalize_l2(summed, np.array([1]), 1e-12, "max")], inputs)

    def _input(self, name: str, shape: list[int], kind: type) -> Node:
        node = self._op.parameter(shape, kind, name=name)
        node.output(0).set_names({name})
        return node

    def _states(self, words: Node, ids: Node, mask: Node, kind: Node) -> Node:
        """Return the vectors of tokens after the last layer."""
        op = self._op
        read = op.convert(mask, "f32")
        ignored = op.multiply(op.subtract(np.float32(1), read), np.float32(_WITHOUT_ATTENTION))
        ignored = op.unsqueeze(ignored, np.array([1, 2]))
        states = self._embedded(words, ids, kind)
        for number in range(int(self._config["num_hidden_layers"])):
            states = self._layer(states, ignored, f"encoder.layer.{number}.")
        return states

    def _embedded(self, words: Node, ids: Node, kind: Node) -> Node:
        op = self._op
        length = op.gather(op.shape_of(ids), np.int64(1), np.int64(0))
        positions = op.range(np.int64(0), length, np.int64(1), "i64")
        table = op.constant(self._weights("embeddings.position_embeddings.weight"))
        placed = op.add(words, op.gather(table, positions, np.int64(0)))
        return self._normalised(op.add(placed, kind), "embeddings.LayerNorm")

    def _layer(self, states: Node, ignored: Node, name: str) -> Node:
        op = self._op
        query, key, value = (
            self._heads(self._dense(states, f"{name}attention.self.{part}"))
            for part in ("query", "key", "value")
        )
        seen = op.scaled_dot_product_attention(query, key, value, ignored)
        joined = op.reshape(op.transpose(seen, np.array([0, 2, 1, 3])), np.array([0, 0, -1]), True)
        attended = self._dense(joined, f"{name}attention.output.dense")
        states = self._normalised(op.add(states, attended), f"{name}attention.output.LayerNorm")
        wide = op.gelu(self._dense(states, f"{name}intermediate.dense"), "erf")
        return self._normalised(
            op.add(states, self._dense(wide, f"{name}output.dense")), f"{name}output.LayerNorm"
        )

    def _heads(self, states: Node) -> Node:
        op = self._op
        heads = int(self._config["num_attention_heads"])
        size = int(self._config["hidden_size"]) // heads
        return op.transpose(op.reshape(states, np.array([0, 0, heads, size]), True), np.array([0, 2, 1, 3]))

    def _dense(self, states: Node, name: str) -> Node:
        op = self._op
        product = op.matmul(states, op.constant(self._weights(f"{name}.weight")), False, True)
        return op.add(product, self._weights(f"{name}.bias"))

    def _normalised(self, states: Node, name: str) -> Node:
        op = self._op
        eps = float(self._config["layer_norm_eps"])
        even = op.mvn(states, np.array([-1]), True, eps, "inside_sqrt")
        return op.add(op.multiply(even, self._weights(f"{name}.weight")), self._weights(f"{name}.bias"))
