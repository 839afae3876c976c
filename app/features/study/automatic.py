"""Makes terms and cloze texts without a model, of the terms that a course marks."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress

from app.core.documents.text.definitions import Definition, unambiguous
from app.core.rag_system import RAGSystem
from app.domain.cancel import Cancelled, CancelToken
from app.domain.messages import Message
from app.domain.scope import Scope
from app.features.study.item_writer import Refused
from app.features.study.kinds import AUTOMATIC
from app.features.study.making import ItemMade, MakeEstimate, MakeEvent, MakeRequest, MakeStarted, MakingRun
from app.features.study.model.items import Difficulty, NewItem
from app.features.study.model.names import ItemKind, ItemText
from app.features.study.passages import Passage
from app.features.study.service import StudyService
from app.features.study.stale import sides_of

_SIGNS = re.compile(r"[*_`]")  # of Markdown
_FEW = 4  # items of a kind; else no other kind asks for the same terms


def estimate(rag: RAGSystem, request: MakeRequest) -> MakeEstimate:
    """Return how many marked terms there are to make items from."""
    run = MakingRun(rag, request, CancelToken())
    terms = sum(map(len, _marked(run.study, run.passages).values()))
    return MakeEstimate(len(run.passages), 0, 0.0, run.remark, terms)


def make(rag: RAGSystem, request: MakeRequest, token: CancelToken) -> Iterator[MakeEvent]:
    """Make and store items; the last event is :class:`MakeDone`, after a stop as well."""
    run = MakingRun(rag, request, token)
    marked = _marked(run.study, run.passages)
    yield MakeStarted(min(request.number, sum(map(len, marked.values()))))
    with suppress(Cancelled):  # what was made stays
        for kind in AUTOMATIC:
            if kind in request.kinds and run.made < _FEW:
                yield from _make_kind(run, kind, marked, request.number, token)
    nothing = Message("study.nothing_defined") if run.passages else run.remark
    yield run.done(None if run.made else nothing)


def _marked(study: StudyService, passages: Sequence[Passage]) -> dict[Passage, list[Definition]]:
    """Return what the author marks in passages; what is a term, and what a label, its whole course tells.

    An entry's term that stands nowhere else is a label, such as "Verbose code"; but not if most do, as in a
    glossary alone.
    """
    titles = tuple(dict.fromkeys(passage.course_title for passage in passages))
    course = study.passages.read(Scope(courses=titles)) if titles else ()
    terms = unambiguous(definition for passage in course for definition in passage.definitions)
    text = _SIGNS.sub("", "\n".join(passage.text for passage in course)).casefold()
    used = {one for one in terms if one.is_sentence or text.count(one.term.casefold()) > 1}
    terms = used if 2 * len(used) > len(terms) else terms
    found = {
        passage: [one for one in passage.definitions if one in terms and one.end <= passage.end]
        for passage in passages
    }
    return {passage: definitions for passage, definitions in found.items() if definitions}


def _make_kind(
    run: MakingRun, kind: ItemKind, marked: dict[Passage, list[Definition]], wanted: int, token: CancelToken
) -> Iterator[ItemMade]:
    """Make this many items of one kind, spread over the passages, or as many as there can be."""
    waiting = {passage: list(definitions) for passage, definitions in marked.items()}
    while waiting and run.made < wanted:
        for passage in run.chosen(wanted - run.made, tuple(waiting)):
            token.check()
            definition = waiting[passage].pop(0)
            if not waiting[passage]:
                del waiting[passage]
            if (item := _item(run, kind, passage, definition)) is not None:
                try:
                    yield run.keep(run.checked(item))
                except Refused as refused:
                    run.dropped[refused.reason] += 1


def _item(run: MakingRun, kind: ItemKind, passage: Passage, definition: Definition) -> NewItem | None:
    source = run.study.passages.source(passage)
    if source is None:  # its file has left the library
        return None
    sides = sides_of(kind, definition, source.hit.path)
    place = definition.start, definition.end
    return sides and NewItem(
        kind,
        ItemText(*sides),
        source,
        *place,
        passage.sentence(place),
        Difficulty.EASY,
        passage.language,
        automatic=True,
    )
