"""The command that makes text of recordings."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from app.cli.arguments import EXIT_OK, EXIT_PARTLY
from app.cli.interruptions import TOKEN
from app.cli.output import fields, note, print_json, say, show_progress, shown
from app.core.rag_system import RAGSystem
from app.domain.errors import UserError
from app.domain.events import FileDone, FileStatus, IngestDone
from app.domain.messages import Message


def hear(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    if not arguments.files:
        _list(rag, as_json=arguments.json)
        return EXIT_OK
    model = _model(rag, arguments.model)
    if arguments.again:
        _warn(rag, arguments.files)
    rag.prepare_model(TOKEN, note)
    show_progress(rag.open_index(TOKEN))
    files: tuple[FileDone, ...] = ()
    events = rag.hearing.transcribe(
        arguments.files, model, arguments.language or "", TOKEN, again=arguments.again
    )
    for event in shown(events):
        if isinstance(event, IngestDone):
            files = event.files
    captions = [_save(rag, file) for file in files if file.course_title] if arguments.captions else []
    if arguments.json:
        names = ("path", "status", "course_title", "passages", "reason")
        print_json({"files": [fields(file, *names) for file in files], "captions": captions})
    else:
        for file in files:
            say(f"{file.status}: {file.path}: {file.reason or file.course_title}")
        for path in captions:
            say(f"captions: {path}")
    return EXIT_PARTLY if any(file.status is FileStatus.FAILED for file in files) else EXIT_OK


def _model(rag: RAGSystem, name: str | None) -> str:
    """Return the model that is meant, which is downloaded if it is on the list."""
    best = rag.hearing.recommended()
    if name is None and best is None:
        raise UserError(Message("hearing.too_little_memory"))
    model = name or (best.id if best else "")
    if any(one.id == model and not one.is_installed for one in rag.hearing.models()):
        rag.hearing.download(model, TOKEN, note)
    return model


def _warn(rag: RAGSystem, paths: Sequence[Path]) -> None:
    """Say before anything is heard which transcripts have corrections that are replaced."""
    records = rag.catalog.documents.files()
    for path in paths:
        record = records.get(os.path.realpath(path))
        transcript = rag.catalog.transcripts.of(record.sha256) if record else None
        if transcript is not None and transcript.is_corrected:
            note(f"{path}: your corrections are replaced once it has been heard again; Ctrl+C keeps them.")


def _save(rag: RAGSystem, file: FileDone) -> Path:
    return rag.hearing.save_captions(rag.catalog.documents.files()[file.path].document_id)


def _list(rag: RAGSystem, *, as_json: bool) -> None:
    unheard, models = rag.hearing.unheard(TOKEN), rag.hearing.models()
    best = rag.hearing.recommended()
    if as_json:
        print_json(
            {
                "recordings": [fields(one, "path", "seconds", "heard_until") for one in unheard],
                "models": [
                    fields(one, "id", "name", "bytes", "licence", "rate", "is_installed") for one in models
                ],
                "recommended": best and best.id,
            }
        )
        return
    for one in unheard:
        heard = f", {one.heard_until / 60:.0f} min heard" if one.heard_until else ""
        say(f"{one.path}: {one.seconds / 60:.0f} min{heard}")
    if not unheard:
        say("There is no recording without captions in the library's folders.")
    for model in models:
        state = "downloaded" if model.is_installed else f"{model.bytes / 1e6:.0f} MB to download"
        minutes = max(1, round(sum(one.left for one in unheard) / model.rate / 60))
        took = f", about {minutes} min for all of them" if unheard else ""
        say(f"{model.id}: {model.name}, {model.licence}, {state}{took}{', recommended' * (model == best)}")
