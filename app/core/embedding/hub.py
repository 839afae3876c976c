"""The model for all languages, as it is downloaded from the Hugging Face hub."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from app.core import downloads
from app.core.downloads import HubFile, Snapshot, one_at_a_time
from app.core.embedding.model_files import download_folder, is_downloaded, record_download
from app.domain.embedding_models import HubModel, ModelChoice
from app.domain.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.domain.cancel import CancelToken
    from app.domain.messages import Message

MULTILINGUAL_FILES = Snapshot(
    "intfloat/multilingual-e5-small",
    "614241f622f53c4eeff9890bdc4f31cfecc418b3",
    (
        HubFile("modules.json", 387, "c6e29747481e8b5dd2b58401966aeac910de39092f90cda9a704b1545f902b04"),
        HubFile("config.json", 655, "69137736cab8b8903a07fe8afaafdda25aac55415a12a55d1bffa9f581abf959"),
        HubFile(
            "1_Pooling/config.json", 200, "987f7a67a38fa564c849bb5d277c52ab9088a84368fc0be31a354125aebb12a0"
        ),
        HubFile(
            "sentence_bert_config.json",
            57,
            "948201d8329907aae938fa62f9ceeed53f5694dacc2b87b9f3b78b37ee986529",
        ),
        HubFile(
            "special_tokens_map.json", 167, "d05497f1da52c5e09554c0cd874037a083e1dc1b9cfd48034d1c717f1afc07a7"
        ),
        HubFile(
            "tokenizer_config.json", 443, "a1d6bc8734a6f635dc158508bef000f8e2e5a759c7d92f984b2c86e5ff53425b"
        ),
        HubFile(
            "tokenizer.json", 17_082_730, "0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39"
        ),
        HubFile(
            "model.safetensors",
            470_641_600,
            "1a55775f53449dac10a2bcbc312469fac40b96d53198c407081a831f81c98477",
        ),
    ),
    # As its authors ask for, which its files do not say.
    (("query", "query: "), ("passage", "passage: ")),
    is_converted=True,
)


def download(
    model: HubModel, cache_dir: Path, token: CancelToken, progress: Callable[[Message], None]
) -> None:
    """Download a model unless it is there; ``progress`` receives how far it is, at each percent.

    Raises:
        ModelMissing: it cannot be used.
        UserError: the disk does not hold it. What has arrived is kept.
        ConnectionTrouble, ServerBusy: the server was not reached, or sent something else. What has arrived
            is kept, as it is when this is cancelled.
    """
    folder = download_folder(model, cache_dir)
    with one_at_a_time(folder, token):
        if is_downloaded(model, cache_dir):  # maybe by another Lectern, just now
            return
        downloads.download(MULTILINGUAL_FILES, folder, token, progress)
        try:
            record_download(model, cache_dir)
        except OSError as error:
            raise UserError(downloads.not_written(folder, error)) from error


def delete_unused(chosen: ModelChoice, cache_dir: Path) -> None:
    """Delete what was downloaded of models other than ``chosen`` and not exported; an export has no weights.

    What another Lectern is downloading stays.
    """
    kept = download_folder(chosen, cache_dir) if isinstance(chosen, HubModel) else None
    for folder in (cache_dir / "models" / "hub").glob("*/"):
        if folder == kept:
            continue
        with suppress(Timeout, OSError), FileLock(folder.with_name(f"{folder.name}.lock"), timeout=0):
            for path in (*folder.rglob("*.part"), *folder.rglob("*.safetensors")):
                path.unlink()
