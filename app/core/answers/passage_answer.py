"""An answer without a model, or in place of one that came to nothing: the passages, best first."""

import logging
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from urllib.parse import quote

from app.core.answers.ai_generator import GenerationEnd, GenerationEvent
from app.core.answers.quotations import leading_sentence, literal, quotation
from app.domain.conversations import StopReason
from app.domain.courtesies import is_courtesy
from app.domain.errors import LecternError
from app.domain.events import AnswerCitation, AnswerText, PassagesInstead, SearchStarted, SourcesFound
from app.domain.messages import Message, rendered
from app.domain.search import (
    LessonDigest,
    SearchHit,
    SearchResults,
    are_covered,
    lesson_name,
    missing_words,
)
from app.domain.sources import Citation, Source, nearest_lessons

# Of the best passage's score. In 82 passages that answered a question none was below 0.6.
_WORTH_SHOWING = 0.4

_SAFE_IN_LINKS = ":/?#[]@!$&'*+,;=%~-._"

_log = logging.getLogger(__name__)


async def or_passages(
    question: str,
    events: AsyncGenerator[GenerationEvent, None],
    search: Callable[[], AsyncGenerator[SearchStarted | SourcesFound, None]],
) -> AsyncGenerator[GenerationEvent | PassagesInstead, None]:
    """Yield the events of an answer; if the model gives none, the passages found, if they may answer it.

    ``search`` finds them if the model could not even be asked what to search for. Raises the failure of
    ``events`` after that.
    """
    sources: list[Source] = []
    written = ""
    end: GenerationEnd | None = None
    failure: Exception | None = None
    try:
        async with aclosing(events):
            async for event in events:
                if isinstance(event, SourcesFound):
                    sources += event.sources
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
    covered = are_covered([source.hit for source in sources])
    if sources and covered is not False and (searched_only or not (written.strip() or declined)):
        yield PassagesInstead()
        if written:
            yield AnswerText("\n\n")
        for shown in _passages_instead(question, sources, len(written) + 2 if written else 0, failure):
            yield shown
    if failure is not None:
        raise failure


def _passages_instead(
    question: str, sources: Sequence[Source], begin: int, failure: Exception | None
) -> Iterator[AnswerText | AnswerCitation]:
    best = sorted(sources, key=lambda source: -source.hit.score)
    shown = worth_showing(tuple(source.hit for source in best))
    message = "answers.passages_instead" if failure is None else "answers.passages_after_failure"
    results = SearchResults(question, None, shown, Message(message))
    yield from passage_events(results, best[: len(shown)], begin)


def passage_events(
    results: SearchResults, sources: Sequence[Source], begin: int = 0
) -> Iterator[AnswerText | AnswerCitation]:
    """Yield the passages as text from ``begin`` on in the answer, each with its citation behind it."""
    yield from _cited_text(*passage_answer(results, sources), begin)


def digest_events(
    digest: LessonDigest, sources: Sequence[Source], *, of_course: bool
) -> Iterator[AnswerText | AnswerCitation]:
    """Yield a lesson or a course in its own words; ``sources`` are its opening and its central sentences."""
    heading = literal(digest.opening.course_title) if of_course else "".join(_place(sources[0]))
    text = f"### {heading}\n\n{rendered(Message('answers.lesson_begins'))}\n\n"
    citations: list[Citation] = []
    for source in sources:
        text = _with_quotation(text, quotation(source, len(text)), citations)
        if len(citations) == 1:
            headings = "".join(f"- {literal(heading)}\n" for heading in digest.headings)
            text += f"{rendered(Message('answers.lesson_headings'))}\n\n{headings}\n" if headings else ""
            text += f"{rendered(Message('answers.lesson_central'))}\n\n" if digest.central else ""
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


def passage_answer(results: SearchResults, sources: Sequence[Source]) -> tuple[str, tuple[Citation, ...]]:
    """Return Markdown that quotes the sources below the names of their lessons, and its citations.

    ``sources`` are the hits of ``results``, whose message comes first. The lesson of the best source is the
    first, and each begins with the sentence that has most words of the question.
    """
    text = f"{literal(rendered(results.message))}\n\n" if results.message else ""
    if not sources and not text:
        text = f"{rendered(Message('answers.nothing_matches'))}\n\n"
    citations: list[Citation] = []
    if sources and results.covered is False:
        text, citations = _not_covered(text, results.missing, sources)
    lessons: dict[str, list[Source]] = {}
    for source in sources:
        lessons.setdefault("".join(_place(source)), []).append(source)
    for heading, own in lessons.items():
        text += f"### {heading}\n\n"
        if lead := leading_sentence(results.query, own, len(text)):
            text = _with_quotation(text, lead, citations)
        for source in own:
            text = _with_quotation(text, quotation(source, len(text)), citations)
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
        place, course = _place(source)
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


def _place(source: Source) -> tuple[str, str]:
    """Return the lesson and `` · Course``; the course alone where there is no lesson."""
    hit = source.hit
    place = rendered(lesson_name(hit)) if hit.lesson_number is not None else hit.lesson_title
    course = literal(hit.course_title)
    return (literal(place), f" · {course}") if place else (course, "")


def _citation(source: Source, begin: int, end: int) -> Citation:
    return Citation(source.n, begin, end, source.hit.start, source.hit.end, source.hit.text, verified=True)
