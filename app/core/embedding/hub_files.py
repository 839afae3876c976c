"""The files of a model on the Hugging Face hub, and whether what arrived is what was published."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

# What a sentence-transformers model is made of, at the top or in the folder of a module. Anything else,
# such as the same weights in other forms, is left where it is. No such path leads out of its folder.
_WANTED = re.compile(r"(\d+_\w+/)?\w[\w.-]*\.(json|txt|safetensors)", re.ASCII)
_DIGEST = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_CHUNK = 2**20


@dataclass(frozen=True, slots=True)
class HubFile:
    """A published file; ``digest`` is its sha256, or the name of its Git blob, which is a sha1."""

    path: str
    size: int
    digest: str

    def is_at(self, place: Path) -> bool:
        """Whether the file at ``place`` is this one."""
        if not place.is_file() or place.stat().st_size != self.size:
            return False
        is_blob = len(self.digest) == 40
        digest = hashlib.sha1(usedforsecurity=False) if is_blob else hashlib.sha256()
        if is_blob:
            digest.update(f"blob {self.size}\0".encode())
        with place.open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
        return digest.hexdigest() == self.digest


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The files of one revision of a model, and the prompts that its files leave out."""

    revision: str
    files: tuple[HubFile, ...]
    prompts: tuple[tuple[str, str], ...] = ()

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)


def listed(revision: object, files: Iterable[Any]) -> Snapshot:
    """Return what a server lists, as far as it is wanted.

    Raises ValueError if it is no such list.
    """
    wanted = []
    for file in files:
        path, large = str(file.rfilename), file.lfs
        if _WANTED.fullmatch(path):
            wanted.append(HubFile(path, file.size, large.sha256 if large else file.blob_id))
    sound = all(
        isinstance(file.size, int) and file.size >= 0 and _DIGEST.fullmatch(str(file.digest))
        for file in wanted
    )
    if not sound or not isinstance(revision, str) or not _DIGEST.fullmatch(revision):
        raise ValueError("the list of files is not as the hub sends it")
    return Snapshot(revision, tuple(wanted))


PINNED = {
    "intfloat/multilingual-e5-small": Snapshot(
        "614241f622f53c4eeff9890bdc4f31cfecc418b3",
        (
            HubFile("modules.json", 387, "c6e29747481e8b5dd2b58401966aeac910de39092f90cda9a704b1545f902b04"),
            HubFile("config.json", 655, "69137736cab8b8903a07fe8afaafdda25aac55415a12a55d1bffa9f581abf959"),
            HubFile(
                "1_Pooling/config.json",
                200,
                "987f7a67a38fa564c849bb5d277c52ab9088a84368fc0be31a354125aebb12a0",
            ),
            HubFile(
                "sentence_bert_config.json",
                57,
                "948201d8329907aae938fa62f9ceeed53f5694dacc2b87b9f3b78b37ee986529",
            ),
            HubFile(
                "special_tokens_map.json",
                167,
                "d05497f1da52c5e09554c0cd874037a083e1dc1b9cfd48034d1c717f1afc07a7",
            ),
            HubFile(
                "tokenizer_config.json",
                443,
                "a1d6bc8734a6f635dc158508bef000f8e2e5a759c7d92f984b2c86e5ff53425b",
            ),
            HubFile(
                "tokenizer.json",
                17_082_730,
                "0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39",
            ),
            HubFile(
                "model.safetensors",
                470_641_600,
                "1a55775f53449dac10a2bcbc312469fac40b96d53198c407081a831f81c98477",
            ),
        ),
        # As its authors ask for, which its files do not say.
        (("query", "query: "), ("passage", "passage: ")),
    ),
}
"""Models that are taken in one revision, whatever a server lists."""
