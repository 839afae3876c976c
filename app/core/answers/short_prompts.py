"""What a small model is asked: few rules, the sentences that answer best, nothing to call.

A small computer reads some sixty tokens of a prompt in a second. So passages are cut to the sentences that
matter, and a follow-up begins with what was said before letter by letter, since servers keep that read.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace

from app.core.answers.citations import GenerationEvent
from app.core.answers.grounding import OwnSearch
from app.core.answers.likeness import TextEmbedder
from app.core.answers.passage_answer import passage_answer, passage_events
from app.core.answers.picking import excerpts
from app.core.answers.prompts import load_prompt
from app.core.answers.providers.base import Turn
from app.core.answers.sources import SentWhole, full_heading
from app.core.answers.tools import ToolManager
from app.core.documents.text.languages import certain_language_of
from app.core.search.terms import content_terms
from app.domain.conversations import ChatMessage
from app.domain.events import PassagesAtOnce, PassagesInstead, ReadingStarted, SourcesFound
from app.domain.plain_text import shorten
from app.domain.sources import Source
from app.domain.words import one_spaced

_MOST = 1200  # characters of passages, some 300 tokens
_MOST_MORE = 600  # of those that a follow-up brings
_LONGEST_SAID = 8000  # bytes of a conversation that is sent again as it was, some 2,000 tokens in any script
_LONGEST_TURN = 300  # characters of a turn, of one that is not
MOST_TOKENS = 400  # of an answer
_LONGEST_TERM = 4  # words of what is a term rather than a question
_MEANING = {"de": "Was ist mit „{}“ gemeint?", "es": "¿Qué significa «{}»?"}  # by the passages' language


class ShortPrompts:
    """Writes the turns of one connection; remembers the last, for follow-ups."""

    def __init__(self, embedder: TextEmbedder | None) -> None:
        self._embedder = embedder
        self._said: tuple[ChatMessage, ...] = ()  # to the model and by it, letter by letter
        self._shown = ""  # of the last answer
        self._sources: tuple[Source, ...] = ()  # of all that was said, in the order of their numbers

    async def not_covered(self, own: OwnSearch) -> list[GenerationEvent]:
        """Return what says that the library does not cover a question; nothing if it may, or is a follow-up.

        A small model notices it less often, and only after it has read the passages.
        """
        found = await own.found()
        if found is None or found.whole or found.leans or found.results.covered is not False:
            return []
        sources, _ = await asyncio.to_thread(own.tools.registry.add, found.results.hits)
        shown = await asyncio.to_thread(passage_events, found.results, sources, self._embedder)
        return [found.started, SourcesFound(tuple(sources)), PassagesInstead(), *shown]

    async def write(self, turn: Turn, own: OwnSearch) -> AsyncGenerator[GenerationEvent, None]:
        """Write the question into a turn, once, with passages and what was said before."""
        if own.was_sent:
            return
        own.was_sent, most, said = True, _MOST, ""
        question, history, tools = own.question, own.history, own.tools
        turn.system, turn.preface, turn.tools, turn.cites = (load_prompt("short"),), "", (), False
        turn.question = (question.strip() or "?",)
        before = (one._replace(content=shorten(one.content, _LONGEST_TURN)) for one in history[-2:])
        turn.history = (*_examples(), *before)
        found = await own.found()
        if found is not None and found.leans and await asyncio.to_thread(self._goes_on, history, tools):
            turn.history, most = self._said, _MOST_MORE
            said = "\n".join(message.content for message in self._said)
            yield SentWhole(self._sources)
        if found is None:
            return
        yield found.started if found.whole is None else ReadingStarted(*found.whole)
        hits = tools.reading.central(*found.whole) if found.whole else found.results.hits
        new, known = await asyncio.to_thread(tools.registry.add, hits)
        yield SourcesFound(tuple(new))
        unsent = [left for source in (*new, *known) if (left := _without(source, said)).sentences]
        passages = await asyncio.to_thread(excerpts, found.results.query, unsent, self._embedder, most)
        asked = question if found.whole or found.leans else _asked(question, passages)
        turn.question = ("\n".join([*map(_numbered, passages), f"\nQuestion: {asked}"]),)
        if passages:
            shown = await asyncio.to_thread(passage_answer, found.results, passages, self._embedder)
            yield PassagesAtOnce(*shown)

    def remember(self, turn: Turn, written: str, shown: str, sources: tuple[Source, ...]) -> None:
        """Keep what was said, as it was: ``written`` by the model, and ``shown`` of that."""
        self._said = (*turn.history, ChatMessage("user", turn.question[0]), ChatMessage("assistant", written))
        self._shown, self._sources = shown, sources

    def _goes_on(self, history: Sequence[ChatMessage], tools: ToolManager) -> bool:
        """Return whether a conversation goes on from what is remembered, and enter its sources."""
        is_next = bool(history) and history[-1].content == self._shown
        if not is_next or sum(len(one.content.encode()) for one in self._said) > _LONGEST_SAID:
            return False
        return tools.search.keep(self._sources) == self._sources


def _asked(question: str, passages: Sequence[Source]) -> str:
    """Ask what a term means, for which alone a small model copies whatever stands beside it.

    A term stands in a passage as a whole; what begins with "explain" or "compare" rarely does.
    """
    texts = [" ".join(source.texts) for source in passages]
    terms = content_terms(question)
    stands = any(terms <= content_terms(text) for text in texts)
    if "?" in question or len(question.split()) > _LONGEST_TERM or not stands:
        return question
    language = certain_language_of(" ".join(texts))
    return _MEANING.get(language, "What is meant by “{}”?").format(question.strip())


def _without(source: Source, said: str) -> Source:
    """Return a source without the sentences that were sent before."""
    spans = (span for span in source.sentences if one_spaced(source.text(*span)) not in said)
    return replace(source, sentences=tuple(spans))


def _examples() -> list[ChatMessage]:
    """Return questions with their answers, which show a small model more than rules do."""
    texts = load_prompt("short_examples").split("\n---\n")
    return [ChatMessage("assistant" if at % 2 else "user", text) for at, text in enumerate(texts)]


def _numbered(source: Source) -> str:
    """Return a passage with its number; what is left out between its sentences is marked."""
    text, end = "", source.sentences[0][0]
    for span in source.sentences:
        text += (" … " if source.text(end, span[0]).strip() else " ") + one_spaced(source.text(*span))
        end = span[1]
    return f"Passage [{source.n}] ({full_heading(source.hit)}):{text}"
