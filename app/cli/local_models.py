"""The commands on models that answer on this computer."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.cli.interruptions import TOKEN
from app.cli.output import fields, note, print_json, say
from app.config.files import writing
from app.config.paths import user_config_dir
from app.config.settings import DEFAULT_MODEL, load_settings, save_settings
from app.core.local_models.service import LEAST_MEMORY
from app.core.rag_system import RAGSystem
from app.domain.errors import UserError
from app.domain.messages import Message


def local(rag: RAGSystem, arguments: argparse.Namespace) -> None:
    """Show, use, download or remove a model, which is the recommended one if none is named."""
    models, asked = rag.local_models, arguments.name
    offers = {offer.id: offer for offer in models.offers()}
    if arguments.what == "show":
        _show(rag, as_json=arguments.json)
        return
    if asked is None:
        recommended = models.recommended()
        if recommended is None:
            raise UserError(Message("local.too_little_memory", least=LEAST_MEMORY))
        asked = recommended.id
    elif asked not in offers and arguments.what != "use":
        raise UserError(Message("local.not_offered", name=asked, models=", ".join(offers)))
    elif asked not in offers:
        asked = str(Path(asked).expanduser().absolute())
    is_chosen = rag.settings.provider == "local" and rag.settings.model == asked
    if arguments.what == "remove":
        models.remove(asked)
        if is_chosen:
            _choose(rag, "anthropic", DEFAULT_MODEL)
    elif asked in offers:
        models.download(asked, TOKEN, note)
    if arguments.what == "use":
        note("Loading the model")
        models.begin(asked, TOKEN)  # which refuses what is no model
        models.end()
        _choose(rag, "local", asked)
    _show(rag, as_json=arguments.json)


def _choose(rag: RAGSystem, provider: str, model: str) -> None:
    file = user_config_dir() / "settings.json"
    chosen: dict[str, Any] = {"provider": provider, "model": model, "base_url": ""}
    with writing(file, "config.settings_not_saved"):
        save_settings(replace(load_settings(file), **chosen), file)
    rag.settings = replace(rag.settings, **chosen)


def _show(rag: RAGSystem, *, as_json: bool) -> None:
    models, settings = rag.local_models, rag.settings
    chosen = settings.model if settings.provider == "local" else None
    offers, recommended = models.offers(), models.recommended()
    if as_json:
        listed = [fields(one, "id", "name", "bytes", "licence", "seconds", "is_installed") for one in offers]
        best = recommended and recommended.id
        speed = models.speed(chosen) if chosen else None
        print_json({"chosen": chosen, "speed": speed, "recommended": best, "models": listed})
        return
    for offer in offers:
        state = "downloaded" if offer.is_installed else f"{offer.bytes / 1e9:.1f} GB to download"
        say(f"{offer.id}: {offer.name}, {offer.licence}, {state}, about {offer.seconds} s an answer")
    if recommended is None:
        say(Message("local.too_little_memory", least=LEAST_MEMORY))
    say(f"Answers are written by {models.name(chosen)}." if chosen else "None of them writes the answers.")
    if chosen and (speed := models.speed(chosen)):
        say(f"It reads {speed.prompt:.0f} and writes {speed.answer:.0f} tokens a second here.")
