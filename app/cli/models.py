"""The commands on the models for searching."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.cli.interruptions import TOKEN
from app.cli.output import note, print_json, say, show_progress
from app.config.paths import user_config_dir
from app.config.settings import load_settings, save_settings
from app.core.rag_system import RAGSystem
from app.domain.embedding_models import model_choice
from app.domain.errors import ModelMissing, UserError
from app.domain.messages import Message

DEFAULT = "default"


def show(rag: RAGSystem, arguments: argparse.Namespace) -> None:
    _print(rag, as_json=arguments.json)


def use(rag: RAGSystem, arguments: argparse.Namespace) -> None:
    setting, before = _setting(arguments.name), rag.settings.embedding_model
    rag.reindex.check_model(setting)  # first: it may refuse
    _save("embedding_model", setting)
    rag.settings = replace(rag.settings, embedding_model=setting)
    rag.reindex.choose_model(setting)
    show_progress(rag.open_index(TOKEN))
    try:
        show_progress(rag.reindex.ensure_current(TOKEN, note, download=True))
    except ModelMissing:  # a download that broke off is resumed
        _save("embedding_model", before)
        raise
    _print(rag, as_json=arguments.json)


def _setting(name: str) -> str:
    if name == DEFAULT:
        return ""
    return str(Path(name).expanduser().absolute()) if isinstance(model_choice(name), Path) else name


def _save(name: str, value: str) -> None:
    file = user_config_dir() / "settings.json"
    changed: dict[str, Any] = {name: value}
    try:
        save_settings(replace(load_settings(file), **changed), file)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UserError(Message("config.settings_not_saved", path=file, reason=reason)) from error


def _print(rag: RAGSystem, *, as_json: bool) -> None:
    chosen, used = rag.settings.embedding_model or DEFAULT, rag.reindex.version().model
    is_current = not rag.reindex.needed()
    if as_json:
        print_json({"chosen": chosen, "used": used, "current": is_current})
        return
    say(f"{used}, chosen as “{chosen}”")
    if not is_current:
        say(f"The library is not yet embedded with it; “lectern model use {chosen}” does that.")
