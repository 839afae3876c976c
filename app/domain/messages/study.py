"""Sentences on the passages that items are made from."""

from app.domain.messages.plural import Plural

TEXTS: dict[str, str | Plural] = {
    "study.only_code": "There is only code here, and no sentence to ask about.",
    "study.only_tables": "There are only tables here, and no sentence to ask about.",
    "study.on_server": "Study material is made from your own courses, not from those on a server.",
    "study.left_out_on_server": "What is on a server is left out: {titles}.",
    "study.nothing_to_ask": "No sentence here says enough to ask about.",
    "study.nothing_defined": "No sentence here defines a term that is not on a card already.",
}
