"""The commands on models that answer on this computer."""

import argparse
from pathlib import Path

from app.cli.commands import change_settings
from app.cli.interruptions import TOKEN
from app.cli.output import fields, note, print_json, say
from app.config.settings import DEFAULT_MODEL
from app.core.local_models.service import LEAST_MEMORY
from app.core.rag_system import RAGSystem
from app.domain.errors import UserError
from app.domain.messages import Message


def use(rag: RAGSystem, arguments: argparse.Namespace) -> None:
    models, model = rag.local_models, _named(rag, arguments.name, or_file=True)
    if model in _offered(rag):
        models.download(model, TOKEN, note)
    note("Loading the model")
    models.begin(model, TOKEN)  # which refuses what is no model
    models.end()
    rag.settings = change_settings(provider="local", model=model, base_url="")
    show(rag, arguments)


def download(rag: RAGSystem, arguments: argparse.Namespace) -> None:
    rag.local_models.download(_named(rag, arguments.name), TOKEN, note)
    show(rag, arguments)


def remove(rag: RAGSystem, arguments: argparse.Namespace) -> None:
    model = _named(rag, arguments.name)
    rag.local_models.remove(model)
    if (rag.settings.provider, rag.settings.model) == ("local", model):
        rag.settings = change_settings(provider="anthropic", model=DEFAULT_MODEL, base_url="")
    show(rag, arguments)


def _offered(rag: RAGSystem) -> list[str]:
    return [offer.id for offer in rag.local_models.offers()]


def _named(rag: RAGSystem, name: str | None, *, or_file: bool = False) -> str:
    """Return the model that is meant: one of the list, the recommended one, or the path of a file."""
    if name is None:
        recommended = rag.local_models.recommended()
        if recommended is None:
            raise UserError(Message("local.too_little_memory", least=LEAST_MEMORY))
        return recommended.id
    if name in _offered(rag):
        return name
    if not or_file:
        raise UserError(Message("local.not_offered", name=name, models=", ".join(_offered(rag))))
    return str(Path(name).expanduser().absolute())


def show(rag: RAGSystem, arguments: argparse.Namespace) -> None:
    models, settings = rag.local_models, rag.settings
    chosen = settings.model if settings.provider == "local" else None
    offers, recommended = models.offers(), models.recommended()
    if arguments.json:
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
