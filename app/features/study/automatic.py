"""Makes terms and cloze texts without a model, of sentences that define something."""

from __future__ import annotations

from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.core.answers.passage_answer import literal
from app.core.documents.text.definitions import definition_in
from app.domain.cancel import Cancelled, CancelToken
from app.domain.documents import becomes_markdown
from app.domain.messages import Message
from app.domain.scope import Scope
from app.features.study.drafts import Refused
from app.features.study.kinds import AUTOMATIC, KINDS
from app.features.study.kinds.cloze import key_of, with_gap
from app.features.study.making_run import MakingRun
from app.features.study.model.items import Difficulty, NewItem
from app.features.study.model.making import MakeEstimate, MakeStarted
from app.features.study.model.names import ItemText

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from app.core.documents.text.definitions import Definition
    from app.domain.conversations import Exchange
    from app.features.study.kinds.cloze import TermKey
    from app.features.study.model.making import ItemMade, MakeEvent, MakeRequest
    from app.features.study.model.names import ItemKind
    from app.features.study.passages import Passage
    from app.features.study.service import StudyService


_TERM_USED = 3  # times in its course, unless the author says that it is called so; once in a short one
_SHORT = 10  # passages of a course in which a term may be used but once; twice in one of twice as many


@dataclass(frozen=True, slots=True)
class DefinedTerm:
    """A term and a sentence that defines it."""

    definition: Definition
    key: TermKey
    passage: Passage
    span: tuple[int, int]  # of the sentence in the document


def estimate(study: StudyService, request: MakeRequest, chat: Sequence[Exchange] | None) -> MakeEstimate:
    """Return from how many passages items can be made; how many items is not known yet."""
    run = MakingRun(study, request, chat, CancelToken())
    return MakeEstimate(len(run.passages), 0, 0.0, run.remark)


def make(
    study: StudyService, request: MakeRequest, chat: Sequence[Exchange] | None, token: CancelToken
) -> Iterator[MakeEvent]:
    """Make and store items; the last event is :class:`MakeDone`, after a stop as well.

    ``chat`` are the exchanges of the one that the request names, if it names one.
    """
    run = MakingRun(study, request, chat, token)
    titles = tuple(dict.fromkeys(passage.course_title for passage in run.passages))
    terms = defined_terms(run.passages, study.passages.read(Scope(courses=titles)) if titles else ())
    yield MakeStarted(min(request.number, len(terms)))
    with suppress(Cancelled):  # what was made stays
        kinds = [kind for kind in AUTOMATIC if kind in request.kinds]
        for left, kind in zip(range(len(kinds), 0, -1), kinds, strict=True):
            yield from _make_kind(run, kind, terms, (request.number - run.made) // left, token)
    nothing = Message("study.nothing_defined") if run.passages else run.remark
    yield run.done(None if run.made else nothing)


def _make_kind(
    run: MakingRun, kind: ItemKind, terms: Sequence[DefinedTerm], number: int, token: CancelToken
) -> Iterator[ItemMade]:
    """Make items of one kind, spread over the passages; fewer if there are not as many."""
    waiting: dict[int, list[DefinedTerm]] = defaultdict(list)
    for term in terms:
        waiting[term.passage.key].append(term)
    wanted = run.made + number
    while waiting and run.made < wanted:
        pool = [passage for passage in run.passages if passage.key in waiting]
        for passage in run.chosen(wanted - run.made, pool):
            token.check()
            term = waiting[passage.key].pop(0)
            if not waiting[passage.key]:
                del waiting[passage.key]
            if (item := _item(run, kind, term)) is not None:
                try:
                    yield run.keep(*run.checked(item))
                except Refused as refused:
                    run.dropped[refused.reason] += 1


def _item(run: MakingRun, kind: ItemKind, term: DefinedTerm) -> NewItem | None:
    source = run.study.passages.source(term.passage)
    if source is None:  # its file has left the library
        return None
    shown = (lambda text: text) if becomes_markdown(source.hit.path) else literal
    sentence, language = term.definition.sentence, term.passage.language
    sides = KINDS[kind].defined(
        shown(term.definition.term), shown(sentence), lambda: with_gap(sentence, term.key, language, shown)
    )
    if sides is None:
        return None
    quote = term.passage.sentence(term.span)
    return NewItem(
        kind, ItemText(*sides), source, *term.span, quote, Difficulty.EASY, language, automatic=True
    )


def defined_terms(passages: Sequence[Passage], course: Sequence[Passage]) -> list[DefinedTerm]:
    """Return the terms that passages define, each once, in order.

    A term that the author does not name as one has to be used in its ``course``.
    """
    found: dict[TermKey, DefinedTerm] = {}
    for passage in passages:
        for span in passage.prose:
            definition = definition_in(passage.sentence(span), passage.language)
            if definition is not None:
                key = key_of(definition.term, passage.language)
                known = found.get(key)
                if known is None or definition.is_marked > known.definition.is_marked:
                    found[key] = DefinedTerm(definition, key, passage, span)
    times = _times(found, course)
    least = min(_TERM_USED, 1 + len(course) // _SHORT)
    kept = [term for key, term in found.items() if term.definition.is_marked or times[key] >= least]
    order = {passage.key: place for place, passage in enumerate(passages)}
    return sorted(kept, key=lambda term: (order[term.passage.key], term.span))


def _times(terms: Collection[TermKey], course: Sequence[Passage]) -> Counter[TermKey]:
    """Return how often a course uses terms."""
    lengths = {len(key) for key in terms}
    times: Counter[TermKey] = Counter()
    for passage in course:
        stems = key_of(passage.text, passage.language)
        for length in lengths:
            runs = (stems[at : at + length] for at in range(len(stems) - length + 1))
            times.update(run for run in runs if run in terms)
    return times
