"""What does not agree between a claim of an answer and its sources."""

from app.domain.messages.plural import Plural

TEXTS: dict[str, str | Plural] = {
    "proof.other": "The source says {said}, not {claimed}.",
    "proof.not_in_sources": "The sources do not mention {claimed}.",
    "proof.negated": "The source does not deny this: “{word}”.",
    "proof.denied": "The source denies this: “{word}”.",
    "proof.not_quoted": "These words are in none of the sources: “{quote}”.",
}
