"""An answer without a model, or in place of one that came to nothing: the passages, best first."""

import asyncio
import logging
import re
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from textwrap import dedent
from urllib.parse import quote

from app.core.answers.citations import GenerationEnd, GenerationEvent
from app.core.answers.likeness import TextEmbedder
from app.core.answers.picking import Pick, first_sentence, pick_sentences
from app.core.answers.proof.claims import says_not_covered
from app.core.answers.proof.examination import examine
from app.core.answers.sources import SentWhole
from app.core.conversations.markdown_export import code_fences
from app.core.documents.text.sentences import ITEM, ends_sentence, is_prose
from app.core.search.terms import content_terms
from app.domain.cancel import CancelToken
from app.domain.conversations import Exchange, ExchangeState, StopReason
from app.domain.documents import becomes_markdown
from app.domain.errors import LecternError
from app.domain.events import AnswerCitation, AnswerText, PassagesInstead, SearchStarted, SourcesFound
from app.domain.messages import Message, rendered
from app.domain.search import LessonDigest, SearchHit, SearchResults, are_covered, lesson_name, missing_words
from app.domain.sources import Citation, Source, nearest_lessons
from app.domain.words import is_courtesy
from app.markup.formulas import formulas_in

# What Markdown would read as syntax inside a passage. An opening bracket means nothing without a closing one,
# and behind a backslash it would begin a formula.
_SYNTAX = re.compile(r"([\\`*_{}\]<>#+|~!&$])")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_LIST_START = re.compile(r"^([^\S\n]*\d*)((?<=\d)[.)]|(?<!\d)[-=])", re.MULTILINE)
_INDENTED = re.compile(r"\n(?: {2}|\t)[^\S\n]*\S")
_OWN_FENCE = "````"
_FENCE_LINE = re.compile(r"^ {0,3}(`{3,}|~{3,})([^\n`]*)$", re.MULTILINE)


def quotation(source: Source, start: int, end: int, begin: int) -> tuple[str, Citation]:
    """Return a part of a source as a quotation, and the citation of it where it begins at ``begin``."""
    quoted, hit = source.text(start, end), source.hit
    if quoted.lstrip().startswith("|"):
        lines = [literal(": ".join(map(str.strip, quoted.strip().strip("|").split("|"))))]
    elif (start, end) == (hit.start, hit.end) and not any(map(is_prose, source.texts)):
        lines = _whole(quoted, is_markdown=becomes_markdown(hit.path))
    else:
        lines = _lines(source, start, end)
    text = "\n".join(f"> {line}" for line in lines)
    return text, Citation(source.n, begin, begin + len(text), start, end, quoted, verified=True)


def literal(text: str) -> str:
    """Return text on one line, with its signs escaped that mean something in Markdown."""
    folded = " ".join(text.split())
    return _LIST_START.sub(r"\1\\\2", _SYNTAX.sub(r"\\\1", folded))


def without_escapes(markdown: str) -> str:
    """Return Markdown without escapes, for readers that show it as it is.

    Formulas and fenced code stay, because a backslash means something else in them.
    """
    parts, done = [], 0
    kept = [*code_fences(markdown, inner=True), *((one.start, one.end) for one in formulas_in(markdown))]
    for start, end in sorted(kept):
        if start >= done:
            parts += [_ESCAPED.sub(r"\1", markdown[done:start]), markdown[start:end]]
            done = end
    return "".join([*parts, _ESCAPED.sub(r"\1", markdown[done:])])


def _whole(text: str, *, is_markdown: bool) -> list[str]:
    """Return the lines of a passage, mostly of code, whose beginning or end may be cut off."""
    lines = text.strip("\n").split("\n")
    if not is_markdown:
        return [_OWN_FENCE, *lines, _OWN_FENCE] if len(lines) > 1 else [literal(text)]
    fences = _FENCE_LINE.findall(text)
    if len(fences) % 2:
        sign, language = fences[0]
        # A fence that opens code mostly names its language, and one that closes code never does.
        lines = [*lines, fences[-1][0]] if language.strip() else [sign, *lines]
    return lines


def _lines(source: Source, start: int, end: int) -> list[str]:
    """Return sentences on one line, but each item of a list, and code, on lines of their own.

    Signs of quotations are left out, and the bullet of an item that stands alone.
    """
    text, is_markdown = source.text(start, end), becomes_markdown(source.hit.path)
    if not is_markdown and _INDENTED.search(text):
        before = source.text(source.hit.start, start).rpartition("\n")[2]
        laid_out = dedent(text if before.strip() else before + text).rstrip()
        first, _, rest = laid_out.partition("\n")
        if start == source.hit.start and first.rstrip()[-1:] not in ":({[,":  # whose indentation was cut off
            laid_out = f"{first}\n{dedent(rest)}"
        item = ITEM.match(laid_out)
        wraps = item and not _INDENTED.search(laid_out.replace("\n" + " " * item.end(), "\n"))
        if not is_prose(text) or not (wraps or ends_sentence(text.strip())):
            return [_OWN_FENCE, *laid_out.split("\n"), _OWN_FENCE]
    begin = {at for at, last in source.sentences if ITEM.match(source.text(at, last).lstrip("> "))}
    is_list = any(start < at < end for at in begin)
    lines, fence, at = [""], "", start
    for line in text.split("\n"):
        opened = _FENCE_LINE.match(line) if is_markdown else None
        rest = line.lstrip("> \t")
        item = ITEM.match(rest) if at + len(line) - len(line.lstrip()) in begin else None
        at += len(line) + 1
        if opened or fence:
            lines += [line] if fence else ["", line]
            if opened:
                lines, fence = ([*lines, ""], "") if fence else (lines, opened[1])
            continue
        if item and (is_list or not item["number"]):
            rest, number = rest[item.end() :], item["number"] or "-"
            if is_list:
                lines += [""] if lines[-1] and not ITEM.match(lines[-1]) else []
                lines.append(number if number[0] in "-0123456789" else f"- {number}")
        elif not rest and ITEM.match(lines[-1]):
            lines += ["", ""]
        lines[-1] = f"{lines[-1]} {rest.strip() if is_markdown else literal(rest)}".strip()
    return "\n".join([*lines, fence]).strip().split("\n")


# Of the best passage's score. In 82 passages that answered a question none was below 0.6.
_WORTH_SHOWING = 0.4

_BESIDE = "answers.passages_beside"
_SAFE_IN_LINKS = ":/?#[]@!$&'*+,;=%~-._"

_log = logging.getLogger(__name__)


async def or_passages(
    question: str,
    events: AsyncGenerator[GenerationEvent, None],
    search: Callable[[], AsyncGenerator[SearchStarted | SourcesFound, None]],
    embedder: TextEmbedder | None,
    *,
    is_small: bool = False,
) -> AsyncGenerator[GenerationEvent, None]:
    """Yield the events of an answer; if the model gives none, the passages found, if they may answer it.

    They follow what a small model refuses, too, since it often does so with the answer before it; a question
    that it only repeats; and what it writes where nothing of it is in line with the sources.

    ``search`` finds them if the model could not even be asked what to search for. Raises the failure of
    ``events`` after that.
    """
    sources: list[Source] = []
    along: list[Source] = []
    written = ""
    end: GenerationEnd | None = None
    failure: Exception | None = None
    try:
        async with aclosing(events):
            async for event in events:
                if isinstance(event, SourcesFound):
                    sources += event.sources
                elif isinstance(event, SentWhole):
                    along += event.sources
                elif isinstance(event, AnswerText):
                    written += event.text
                end = event if isinstance(event, GenerationEnd) else None
                yield event
    except Exception as error:  # raised again below, whatever it is
        failure = error
    if isinstance(failure, LecternError) and not sources and not written and not is_courtesy(question):
        try:
            async with aclosing(search()) as found:
                async for step in found:
                    sources += step.sources if isinstance(step, SourcesFound) else ()
                    yield step
        except Exception:  # what is told is why there is no answer
            _log.warning("The search in place of an answer failed.", exc_info=True)
    searched_only = end is not None and end.stop_reason == StopReason.TOOL_CALLS
    declined = end is not None and end.stop_reason == StopReason.REFUSED
    message = ""
    if searched_only or not (written.strip() or declined):
        message = "answers.passages_instead" if failure is None else "answers.passages_after_failure"
    elif is_small and end is not None:
        evidence = (*along, *sources)
        message = await asyncio.to_thread(_doubt, question, written, evidence, embedder)
    if message and sources and are_covered([source.hit for source in sources]) is not False:
        if message != _BESIDE:
            yield PassagesInstead()
        if written:
            yield AnswerText("\n\n")
        begin = len(written) + 2 if written else 0
        for shown in await asyncio.to_thread(_passages_instead, question, sources, begin, message, embedder):
            yield shown
    if failure is not None:
        raise failure


def _doubt(question: str, written: str, sources: tuple[Source, ...], embedder: TextEmbedder | None) -> str:
    """Return what to say before passages if an answer tells nothing, or its sources nothing of that."""
    if says_not_covered(written) or content_terms(written) == content_terms(question):
        return "answers.passages_instead"
    answer = Exchange(0, None, question, written, ExchangeState.DONE, sources=sources)
    claims = examine(answer, CancelToken(), embedder).claims
    return _BESIDE if claims and not any(claim.support.is_good for claim in claims) else ""


def _passages_instead(
    question: str,
    sources: Sequence[Source],
    begin: int,
    message: str,
    embedder: TextEmbedder | None,
) -> list[AnswerText | AnswerCitation]:
    best = sorted(sources, key=lambda source: -source.hit.score)
    shown = worth_showing(tuple(source.hit for source in best))
    results = SearchResults(question, None, shown, Message(message))
    return passage_events(results, best[: len(shown)], embedder, begin)


def passage_events(
    results: SearchResults, sources: Sequence[Source], embedder: TextEmbedder | None, begin: int = 0
) -> list[AnswerText | AnswerCitation]:
    """Return :func:`passage_answer` as text from ``begin`` on in the answer, citations behind their parts."""
    return list(_cited_text(*passage_answer(results, sources, embedder), begin))


def digest_events(
    digest: LessonDigest, sources: Sequence[Source], *, of_course: bool
) -> Iterator[AnswerText | AnswerCitation]:
    """Yield a lesson or a course in its own words; ``sources`` are the parts of its digest."""
    title = literal(sources[0].hit.course_title) if of_course else "".join(place_of(sources[0]))
    text = f"### {title}\n\n"
    citations: list[Citation] = []
    for heading, source in zip(digest.headings, sources, strict=True):
        text += f"**{literal(heading)}**\n\n" if heading else ""
        text = _with_quotation(text, quotation(*first_sentence(source), len(text)), citations)
    yield from _cited_text(text.rstrip("\n"), citations)


def _cited_text(
    text: str, citations: Sequence[Citation], begin: int = 0
) -> Iterator[AnswerText | AnswerCitation]:
    done = 0
    for citation in citations:
        yield AnswerText(text[done : citation.answer_end])
        done = citation.answer_end
        yield AnswerCitation(
            replace(citation, answer_start=begin + citation.answer_start, answer_end=begin + done)
        )
    if text[done:]:
        yield AnswerText(text[done:])


def worth_showing(hits: Sequence[SearchHit]) -> tuple[SearchHit, ...]:
    """Leave out hits, best first, that a small library returns only for lack of better ones."""
    return tuple(hit for hit in hits if hit.score >= _WORTH_SHOWING * hits[0].score)


def passage_answer(
    results: SearchResults, sources: Sequence[Source], embedder: TextEmbedder | None = None
) -> tuple[str, tuple[Citation, ...]]:
    """Return Markdown that quotes the sentences which answer best, each above its place, and its citations.

    ``sources`` are the hits of ``results``, whose message comes first.
    """
    text = f"{literal(rendered(results.message))}\n\n" if results.message else ""
    if not sources and not text:
        text = f"{rendered(Message('answers.nothing_matches'))}\n\n"
    citations: list[Citation] = []
    if sources and results.covered is False:
        text, citations = _not_covered(text, results.missing, sources)
    elif results.covered:  # without a model nobody has read whether they answer the question
        text += f"{rendered(Message('answers.nearest_passages'))}\n\n"
    places: dict[str, list[Pick]] = {}
    for pick in pick_sentences(results.query, sources, embedder):
        places.setdefault("".join(place_of(pick.source)), []).append(pick)
    for place, there in places.items():
        for pick in there:
            text = _with_quotation(text, quotation(*pick, len(text)), citations)
        text += f"*{place}*\n\n"
    return text.rstrip("\n"), tuple(citations)


def _with_quotation(text: str, quoted: tuple[str, Citation], citations: list[Citation]) -> str:
    citations.append(quoted[1])
    return f"{text}{quoted[0]}\n\n"


def _not_covered(text: str, missing: Sequence[str], sources: Sequence[Source]) -> tuple[str, list[Citation]]:
    """Say that the question is not covered and name the closest lessons, each with its mark."""
    if remark := missing_words(missing):
        text += f"{literal(rendered(remark))}\n\n"
    text += f"{rendered(Message('answers.not_covered'))}\n\n"
    citations = []
    for source in nearest_lessons(sources):
        place, course = place_of(source)
        link = source.hit.link or ""
        is_web = link.lower().startswith(("http://", "https://"))
        text += "- "
        begin = len(text)
        # Quoted are the characters that would end a Markdown link; brackets would end its text.
        label = place.replace("[", "(").replace(r"\]", ")")
        text += f"[{label}]({quote(link, safe=_SAFE_IN_LINKS)})" if is_web else f"**{place}**"
        text += course
        citations.append(_citation(source, begin, len(text)))
        text += "\n"
    return f"{text}\n{rendered(Message('answers.passages_found'))}\n\n", citations


def place_of(source: Source) -> tuple[str, str]:
    """Return the lesson and `` · Course``; the course alone where there is no lesson."""
    hit = source.hit
    place = rendered(lesson_name(hit)) if hit.lesson_number is not None else hit.lesson_title
    course = literal(hit.course_title)
    return (literal(place), f" · {course}") if place else (course, "")


def _citation(source: Source, begin: int, end: int) -> Citation:
    return Citation(source.n, begin, end, source.hit.start, source.hit.end, source.hit.text, verified=True)
