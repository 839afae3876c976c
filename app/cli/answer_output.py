"""How an answer is printed: as it arrives, and as JSON."""

import re
from bisect import bisect_left, bisect_right
from dataclasses import replace
from itertools import accumulate
from typing import Any

from app.cli.output import fields, heading, hit_json, say, say_text
from app.core.answers.passage_answer import without_escapes
from app.core.conversations.markdown_export import answer_with_marks, code_fences, numbered_mark, placed_marks
from app.domain.conversations import Exchange
from app.domain.messages import Message
from app.domain.plain_text import shorten
from app.domain.search import missing_words
from app.domain.sources import Citation, Claim, Support, support_words
from app.domain.words import one_spaced

_NUMBERS = r"\d{1,3}(?:[ \t]*+[,;–-][ \t]*+\d{1,3})*+"
# Inline code, or what the model wrote like a mark; not the index of a list, a link or a definition.
_WRITTEN_MARK = re.compile(rf"`[^`\n]*+`|(?<![\w\]])\[[ \t]*+({_NUMBERS})[ \t]*+\](?![(:\[])")
_SENTENCE_END = re.compile(r"(?<=[.!?:])[ \t]++(?=\S)|(?<!\n)\n++(?=\S)")
_EXCERPT = 100  # characters of a claim


class PrintedAnswer:
    """Prints an answer sentence by sentence as it arrives, and quotations as each is cited, with their marks.

    What the model itself wrote like a mark is printed as one that could not be verified.
    """

    def __init__(self, *, is_passages: bool) -> None:
        self._is_passages = is_passages  # not a model's words, but quotations in Markdown
        self._answer = ""
        self._printed = 0  # characters of the answer
        self._citations: list[Citation] = []  # of what is not printed yet

    def begin_passages(self) -> None:
        """Print what follows as quotations in Markdown, no longer as a model's words."""
        self._print(len(self._answer))
        self._is_passages = True

    def write(self, text: str) -> None:
        new = max(self._printed, len(self._answer) - 1)  # from the white space that may end a sentence
        self._answer += text
        ends = [found.end() for found in _SENTENCE_END.finditer(self._answer, new)]
        if ends and not self._is_passages:
            code = code_fences(self._answer[self._printed : ends[-1]])
            is_open = bool(code) and self._printed + code[-1][1] == ends[-1]
            self._print(self._printed + code[-1][0] if is_open else ends[-1])

    def cite(self, citation: Citation) -> None:
        self._citations.append(citation)
        if self._is_passages:
            self._print(len(self._answer))

    def finish(self) -> None:
        self._print(len(self._answer))
        say_text("")

    def _print(self, end: int) -> None:
        text = self._answer[self._printed : end]
        own = [
            replace(one, answer_end=one.answer_end - self._printed)
            for one in self._citations
            if self._printed < one.answer_end <= end
        ]
        shown = without_escapes if self._is_passages else _flagged
        done = 0
        for place, mark in placed_marks(text, own):
            say_text(shown(text[done:place]) + mark, end="")
            done = place
        say_text(shown(text[done:]), end="")
        self._citations = [one for one in self._citations if one.answer_end > end]
        self._printed = end


def _flagged(text: str) -> str:
    """Return a model's words with what is written like a mark called one that could not be verified."""
    parts, done = [], 0
    for start, end in [*code_fences(text), (len(text), len(text))]:
        parts += [_WRITTEN_MARK.sub(_flag, text[done:start]), text[start:end]]
        done = end
    return "".join(parts)


def _flag(found: re.Match[str]) -> str:
    return f"[{found[1]}: {Message('conversations.unverified')}]" if found[1] else found[0]


def print_support(exchange: Exchange) -> None:
    """Print where an answer is not covered, and how many of its claims are in line with their sources."""
    if exchange.is_courtesy:
        return
    if exchange.model and exchange.answer.strip() and not exchange.sources:
        say("")
        say(Message("answers.nothing_searched"))
    if exchange.model and exchange.covered is False and (missing := missing_words(exchange.missing)):
        say("")
        say(missing)
    if any(claim.support is not Support.NOT_FROM_COURSES for claim in exchange.claims):
        say("")
        say(Message("answers.in_line_count", count=exchange.in_line_count, n=len(exchange.claims)))
    for claim in exchange.claims:
        if not claim.support.is_good:
            say(f"  {_doubt(exchange, claim)}")


def _doubt(exchange: Exchange, claim: Claim) -> str:
    own = [item for item in exchange.citations if claim.answer_start < item.answer_end <= claim.answer_end]
    marks = "".join(dict.fromkeys(map(numbered_mark, own)))
    excerpt = shorten(one_spaced(exchange.answer[claim.answer_start : claim.answer_end]), _EXCERPT)
    found = f"{support_words(claim.support)}: “{excerpt}”"
    return " ".join(filter(None, (marks, found, str(claim.reason or ""))))


def print_sources(exchange: Exchange) -> None:
    for source in exchange.sources:
        say(f"[{source.n}] {heading(source.hit)} {source.hit.link or source.hit.path}")


def exchange_json(exchange: Exchange) -> dict[str, Any]:
    paths = {source.n: source.hit.path for source in exchange.sources}
    tokens = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
    positions = _Positions(exchange)
    return {
        "answer": answer_with_marks(exchange.answer, exchange.citations),
        "sources": [{"n": source.n, **hit_json(source.hit)} for source in exchange.sources],
        "citations": [
            _citation_json(citation, paths.get(citation.source_n), positions)
            for citation in exchange.citations
        ],
        "usage": fields(exchange.usage, *tokens),
        "stop_reason": exchange.stop_reason,
        "seconds": round(exchange.seconds, 3),
        "state": exchange.state,
        "error": exchange.error,
        "model": exchange.model,
        "cost": exchange.usage.cost,
        "covered": exchange.covered,
        "missing": exchange.missing,
        "claims": [_claim_json(claim, positions) for claim in exchange.claims],
    }


class _Positions:
    """Where positions of the answer lie once the marks are in it."""

    def __init__(self, exchange: Exchange) -> None:
        placed = placed_marks(exchange.answer, exchange.citations)
        self._places = [place for place, _ in placed]
        self._shifts = [0, *accumulate(len(text) for _, text in placed)]

    def start(self, position: int) -> int:
        """Return the position of a first character: behind a mark at its place."""
        return position + self._shifts[bisect_right(self._places, position)]

    def end(self, position: int) -> int:
        """Return one past a last character: before a mark at its place."""
        return position + self._shifts[bisect_left(self._places, position)]


def _citation_json(citation: Citation, path: str | None, positions: _Positions) -> dict[str, Any]:
    return {
        "n": citation.source_n,
        "cited_text": citation.cited_text,
        "path": path,
        **fields(citation, "start", "end", "verified"),
        "answer_start": positions.start(citation.answer_start),
        "answer_end": positions.end(citation.answer_end),
        "support": citation.support,
        "found": citation.is_found,
    }


def _claim_json(claim: Claim, positions: _Positions) -> dict[str, Any]:
    return {
        "start": positions.start(claim.answer_start),
        "end": positions.end(claim.answer_end),
        **fields(claim, "support", "reason"),
    }
