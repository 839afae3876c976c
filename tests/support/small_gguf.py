"""Writes a language model that llama.cpp runs and that always gives the same answer.

Each token of the answer is used once, and the only layer passes on what it gets: the output matrix holds,
for each token, the one that follows it. The last one of every prompt is followed by the first of the answer.
"""

import itertools
import struct
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import numpy as np

_TEMPLATE = "{% for m in messages %}{{ m['content'] }}\n{% endfor %}<go>"
_UNKNOWN, _CONTROL, _NORMAL, _BYTE = 2, 3, 1, 6  # kinds of tokens
_UINT32, _FLOAT32, _BOOL, _STRING, _ARRAY, _INT32 = 4, 6, 7, 8, 9, 5  # kinds of values
_ALIGNED = 32


def write_gguf(path: Path, answer: str, *, endless: bool = False) -> Path:
    """Write the model; an ``endless`` one begins its answer again and again."""
    bytes_ = [f"<0x{value:02X}>" for value in range(256)]
    pairs = [first + second for first in f"\u2581{ascii_lowercase}" for second in ascii_lowercase]
    tokens = ["<unk>", "<s>", "</s>", "<go>", *bytes_, *pairs]
    first, piece = len(tokens), ""
    for word in answer.split(" "):
        piece += f"{word}\u2581"  # a space
        if piece not in tokens:  # else it becomes longer: no two tokens are the same
            tokens.append(piece)
            piece = ""
    kinds = [_UNKNOWN, _CONTROL, _CONTROL, _CONTROL, *[_BYTE] * 256, *[_NORMAL] * (len(tokens) - 260)]
    chain = [3, *range(first, len(tokens)), first if endless else 2]
    size = -(-len(chain) // 32) * 32
    embedding, follows = np.zeros((2, len(tokens), size), np.float32)
    for place, (token, following) in enumerate(itertools.pairwise(chain)):
        embedding[token, place] = follows[following, place] = 1.0
    none, ones = np.zeros((size, size), np.float32), np.ones(size, np.float32)
    tensors = {"token_embd": embedding, "output_norm": ones, "output": follows, "blk.0.attn_norm": ones}
    tensors |= dict.fromkeys(("blk.0.attn_q", "blk.0.attn_k", "blk.0.attn_v", "blk.0.attn_output"), none)
    tensors |= {"blk.0.ffn_norm": ones}
    tensors |= dict.fromkeys(("blk.0.ffn_gate", "blk.0.ffn_up", "blk.0.ffn_down"), none)
    values: dict[str, tuple[int, Any]] = {
        "general.architecture": (_STRING, "llama"),
        "general.name": (_STRING, "Small"),
        "llama.block_count": (_UINT32, 1),
        "llama.context_length": (_UINT32, 8192),
        "llama.embedding_length": (_UINT32, size),
        "llama.feed_forward_length": (_UINT32, size),
        "llama.attention.head_count": (_UINT32, size // 32),
        "llama.rope.dimension_count": (_UINT32, 32),
        "llama.attention.layer_norm_rms_epsilon": (_FLOAT32, 1e-5),
        "tokenizer.ggml.model": (_STRING, "llama"),
        "tokenizer.ggml.tokens": (_STRING, tokens),
        "tokenizer.ggml.scores": (_FLOAT32, [0.0] * len(tokens)),
        "tokenizer.ggml.token_type": (_INT32, kinds),
        "tokenizer.ggml.bos_token_id": (_UINT32, 1),
        "tokenizer.ggml.eos_token_id": (_UINT32, 2),
        "tokenizer.chat_template": (_STRING, _TEMPLATE),
    }
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(values))
    for name, (kind, value) in values.items():
        head += _string(name)
        if isinstance(value, list):
            head += struct.pack("<IIQ", _ARRAY, kind, len(value)) + b"".join(
                _value(kind, one) for one in value
            )
        else:
            head += struct.pack("<I", kind) + _value(kind, value)
    place, data = 0, b""
    for name, tensor in tensors.items():
        head += _string(f"{name}.weight") + struct.pack("<I", tensor.ndim)
        head += struct.pack(f"<{tensor.ndim}Q", *reversed(tensor.shape)) + struct.pack("<IQ", 0, place)
        data += tensor.tobytes()
        place = len(data)
    path.write_bytes(head + bytes(-len(head) % _ALIGNED) + data)
    return path


def _value(kind: int, value: Any) -> bytes:  # noqa: ANN401 - of that kind
    formats = {_UINT32: "<I", _INT32: "<i", _FLOAT32: "<f", _BOOL: "<?"}
    return _string(value) if kind == _STRING else struct.pack(formats[kind], value)


def _string(text: str) -> bytes:
    return struct.pack("<Q", len(text.encode())) + text.encode()
