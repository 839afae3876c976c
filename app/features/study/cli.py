"""The commands on what is learnt: making items, reviewing them and giving them away."""

import argparse
import asyncio
import time
from calendar import day_name
from collections import deque
from collections.abc import Callable
from contextlib import aclosing, suppress
from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any

from app.cli.answers import answered, prepared, print_answer
from app.cli.arguments import EXIT_ERROR, EXIT_OK, EXIT_PARTLY
from app.cli.interruptions import TOKEN
from app.cli.output import counted, fields, heading, note, print_json, say, say_text
from app.config.secrets import KeyStore
from app.core.answers.passage_answer import without_escapes
from app.core.rag_system import RAGSystem
from app.core.search.exam_map import map_exam
from app.domain.cancel import Cancelled
from app.domain.errors import UserError
from app.domain.exam_map import QuestionMap
from app.domain.messages import Message
from app.domain.scope import Scope
from app.features.study import automatic, making
from app.features.study.exam_plans import weights_of
from app.features.study.exports.calendar import calendar, parts_of
from app.features.study.kinds import KINDS
from app.features.study.making import ItemMade, MakeDone, MakeEvent, MakeRequest
from app.features.study.model.exam_plans import Exam, Plan
from app.features.study.model.hints import hint_kind, next_kind, step_of
from app.features.study.model.items import REMARKS, Difficulty, Item, StudyExport, course_order
from app.features.study.model.names import ExportFormat, ItemKind
from app.features.study.model.reviews import Due, Rating, ReviewCard
from app.features.study.service import StudyService

if TYPE_CHECKING:
    from app.domain.conversations import Exchange

_POLL = 0.1  # seconds between two looks at the token while a model writes
_TOKENS = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "cost")
_RATINGS = {str(int(rating)): rating for rating in Rating}
_NAMES = ("again", "hard", "good", "easy")


def _study(rag: RAGSystem) -> StudyService:
    return rag.service(StudyService)


def make(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    rag.prepare_model(TOKEN, note)
    kinds = tuple(map(ItemKind, arguments.kinds))
    request = MakeRequest(
        kinds,
        arguments.number,
        _scope(rag, arguments),
        difficulty=Difficulty(arguments.difficulty),
        language=arguments.language,
        automatic=arguments.automatic,
    )
    made: list[Item] = []
    done: MakeDone | None = None

    def take(event: MakeEvent) -> None:
        nonlocal done
        match event:
            case ItemMade(item):
                made.append(item)
                if not arguments.json:
                    say(without_escapes(f"{item.kind}: {item.asked} — {item.answered}"))
            case MakeDone():
                done = event

    if request.automatic:
        for event in automatic.make(rag, request, TOKEN):
            take(event)
    else:
        _have_made(rag, request, arguments.model, take)
    assert done is not None
    if arguments.json:
        print_json(_made_json(made, done))
    (note if arguments.json or not made else say)(done.summary)
    if TOKEN.cancelled:
        raise Cancelled
    if not made:
        return EXIT_ERROR
    return EXIT_PARTLY if done.error else EXIT_OK


def _scope(rag: RAGSystem, arguments: argparse.Namespace) -> Scope:
    scope = rag.search.scope_of(arguments.course, None)
    if not arguments.lesson:
        return scope
    titles = scope.courses or rag.search.titles()
    return Scope(lessons=tuple((title, number) for title in titles for number in arguments.lesson))


def _have_made(
    rag: RAGSystem, request: MakeRequest, model: str | None, take: Callable[[MakeEvent], None]
) -> None:
    if model:
        rag.settings = replace(rag.settings, model=model)
    key, _ = KeyStore().read(rag.settings.base_url, rag.settings.provider)
    connection = rag.answers.connection(key)
    if connection is None:
        raise UserError(
            "No API key was found: set ANTHROPIC_API_KEY, run “lectern model local use” for a free model on "
            "this computer, or make items with --automatic."
        )
    estimate = making.estimate(rag, request, connection)
    cost = "" if estimate.cost is None else f", about ${estimate.cost:.3f}"
    cost += f", about {counted(estimate.minutes, 'minute')}" if estimate.minutes else ""
    if estimate.passages:  # otherwise it says why there are none
        note(f"From {counted(estimate.passages, 'passage')}: about {estimate.tokens:,} tokens{cost}.")

    async def run() -> None:
        watching = asyncio.create_task(_cancel_with_token(asyncio.current_task()))
        async with aclosing(making.make(rag, request, connection)) as events:
            async for event in events:  # after an interruption one more, which tells what was made
                take(event)
        watching.cancel()
        await rag.answers.disconnect()

    asyncio.run(run())


async def _cancel_with_token(task: "asyncio.Task[None] | None") -> None:
    while not TOKEN.cancelled:
        await asyncio.sleep(_POLL)
    if task is not None:
        task.cancel()


def hints(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    """Print one hint after the other, and the answer at last; or the step that is asked for."""
    connection, question = prepared(rag, arguments), arguments.question
    only = arguments.step or (1 if arguments.json else None)
    kind, code = hint_kind(only or 1), EXIT_OK
    before: list[Exchange] = []
    with suppress(EOFError):
        while True:
            exchange = asyncio.run(answered(rag, connection, arguments, kind, tuple(before)))
            code = print_answer(arguments, exchange)
            if exchange is None or only or not kind:
                break
            before.append(exchange)
            say_text("Enter goes on, q ends; or write what you think: ", end="")
            tried = input().strip()
            if tried == "q":
                break
            kind = f"{hint_kind(step_of(exchange))}:try" if tried else next_kind(exchange)
            arguments.question = tried or question
    return code


def due(rag: RAGSystem, arguments: argparse.Namespace) -> None:
    decks = [deck for deck in _study(rag).decks() if deck.deck_id in _deck_ids(rag, arguments)]
    total = _study(rag).reviews.due([deck.deck_id for deck in decks]) if decks else Due()
    if arguments.json:
        names = ("course_title", "items", "due", "new")
        print_json({"decks": [fields(deck, *names) for deck in decks], "due": _due_json(total)})
        return
    for deck in decks:
        say(f"{deck.course_title}: {deck.due} due ({deck.new} new), {counted(deck.items, 'item')}")
    if not decks:
        say("There are no decks; “lectern study make” makes one.")


def review(rag: RAGSystem, arguments: argparse.Namespace) -> None:
    decks = _deck_ids(rag, arguments)
    if not decks:
        raise UserError("There are no decks; “lectern study make” makes one.")
    if arguments.json:
        _print_queue(rag, decks)
        return
    reviewed = 0
    with suppress(EOFError):
        while (card := _study(rag).reviews.next_card(decks)) is not None:
            reviewed += _ask(rag, card)
        say("Nothing more is due today.")
    say(f"Reviewed {counted(max(reviewed, 0), 'card')}.")


def _print_queue(rag: RAGSystem, decks: list[int]) -> None:
    reviews = _study(rag).reviews
    cards = [{**_item_json(item), "state": state.name.lower()} for item, state in reviews.queue(decks)]
    print_json({"due": _due_json(reviews.due(decks)), "cards": cards})


def _ask(rag: RAGSystem, card: ReviewCard) -> int:
    """Ask one card; return by how much the number of reviewed cards changes. EOFError ends the session."""
    began = time.monotonic()
    left, hit = card.left, card.item.source.hit
    say("")
    say(
        f"[{left.new} new, {left.learning} learning, {left.review} to review] "
        + ": ".join(filter(None, (heading(hit), hit.lesson_title)))
    )
    say_text(without_escapes(card.item.asked))
    if _read("Enter shows the answer, u undoes the last rating, q ends: ", ("", "u")) == "u":
        return -1 if _study(rag).reviews.undo() is not None else 0
    say_text(without_escapes(card.item.answered))
    if card.item.text.explanation:
        say_text(card.item.text.explanation)
    quote = " ".join(card.item.quote.split())
    if quote not in " ".join(card.item.text.back.split()):  # as in most terms
        say_text(f"“{quote}”")
    choices = ", ".join(
        f"{number} {name} ({_span(seconds)})"
        for number, name, seconds in zip(_RATINGS, _NAMES, card.seconds, strict=True)
    )
    answer = _read(f"{choices}, u, q: ", (*_RATINGS, "u"))
    if answer == "u":
        return -1 if _study(rag).reviews.undo() is not None else 0
    rated = _study(rag).reviews.rate(card.item.item_id, _RATINGS[answer], time.monotonic() - began)
    if rated is not None and rated.is_leech:
        note("This card keeps being forgotten; writing it anew in Lectern's window may help.")
    return 1


def _read(prompt: str, allowed: tuple[str, ...]) -> str:
    """Return one of the allowed answers; raises EOFError for "q" and at the end of the input."""
    while True:
        say_text(prompt, end="")
        answer = input().strip().lower()
        if answer == "q":
            raise EOFError
        if answer in allowed:
            return answer
        say(f"Please type one of these: {', '.join(one or 'Enter' for one in (*allowed, 'q'))}.")


def _span(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{max(minutes, 1)} min"
    return f"{round(minutes / 60)} h" if minutes < 1440 else f"{round(minutes / 1440)} d"


def plan(rag: RAGSystem, arguments: argparse.Namespace) -> None:
    plans, title = _study(rag).exam_plans, _course_title(rag, arguments.course)
    if arguments.no_exam:
        plans.put(title, None)
    exam = plans.exams().get(title)
    changed = {name: value for name in _CHOICES if (value := getattr(arguments, name)) is not None}
    if exam is None and "day" not in changed:
        raise UserError(Message("exam_plan.none", title=title))
    if arguments.paper is not None:
        rag.prepare_model(TOKEN, note)
        mapped = deque(map_exam(rag.search, arguments.paper, title, TOKEN), maxlen=1)[0]
        assert isinstance(mapped, QuestionMap)
        changed["weights"] = weights_of(mapped, title)
    if changed:
        exam = replace(exam, **changed) if exam else Exam(**changed)
        plans.put(title, exam)
    for number in arguments.studied or ():
        exam = plans.mark_number(title, number)
    assert exam is not None
    found = plans.plan(title, exam)
    if arguments.ics:
        arguments.ics.write_text(calendar(found, datetime.now(UTC)), encoding="utf-8", newline="")
    if arguments.json:
        print_json(_plan_json(found))
        return
    say(f"{title}: exam on {exam.day}, {exam.minutes} minutes a day, {exam.retention} %")
    for sentence in found.sentences:
        say(sentence)
    for day in found.days:
        if parts := parts_of(day):
            say(f"  {day.day:%a} {day.day}  {'; '.join(map(str, parts))} ({max(round(day.minutes), 1)} min)")
    if arguments.ics:
        say(f"Wrote {arguments.ics.absolute()}.")


_CHOICES = ("day", "minutes", "retention", "days_off")


def _course_title(rag: RAGSystem, name: str) -> str:
    """Return the title of the one course that a name means; raises UserError if there is none."""
    titles = [title for title in rag.catalog.courses.titles() if name.casefold() in title.casefold()]
    if name not in titles and len(titles) != 1:
        problem = f"is part of several titles: {', '.join(titles)}" if titles else "is part of no title"
        raise UserError(f"“{name}” {problem}.")
    return name if name in titles else titles[0]


def _plan_json(found: Plan) -> dict[str, Any]:
    exam = found.exam
    off = [day_name[day].lower() if isinstance(day, int) else str(day) for day in exam.days_off]
    return {
        "course_title": found.course_title,
        "exam": exam.day,
        **fields(exam, "minutes", "retention"),
        "off": sorted(off),
        **fields(found, "fits", "lessons_left", "cards_left", "unsure", "enough", "sentences"),
        "days": [
            {**day._asdict(), "lessons": [lesson._asdict() for lesson in day.lessons]} for day in found.days
        ],
    }


def marks(rag: RAGSystem, arguments: argparse.Namespace) -> None:
    decks = _deck_ids(rag, arguments)
    words = (arguments.find or "").casefold().split()
    found = sorted(_study(rag).items(kinds=(ItemKind.MARK,)), key=course_order)
    found = [item for item in found if item.deck_id in decks and _has_words(item, words)]
    if arguments.json:
        print_json({"marks": [{**_item_json(item), **fields(item, "state", "now")} for item in found]})
        return
    for hit, own in groupby(found, key=lambda item: heading(item.source.hit)):
        say(hit)
        for item in own:
            say(f"  “{' '.join(item.quote.split())}”")
            remark = REMARKS.get(item.state)
            for about in filter(None, (remark and str(remark), " ".join(item.text.back.split()))):
                say(f"    {about}")
    if not found:
        say("No marks.")


def _has_words(item: Item, words: list[str]) -> bool:
    text = f"{item.quote} {item.text.back}".casefold()
    return all(word in text for word in words)


def export(rag: RAGSystem, arguments: argparse.Namespace) -> None:
    chosen = next(one for one in ExportFormat if getattr(arguments, one))
    path = getattr(arguments, chosen).absolute()
    decks = tuple(_deck_ids(rag, arguments))
    items = _study(rag).exports.write(StudyExport(decks, chosen, with_schedule=arguments.schedule), path)
    if arguments.json:
        print_json({"file": str(path), "format": chosen, "items": items})
    else:
        say(f"Wrote {counted(items, 'item')} to {path}.")


def _deck_ids(rag: RAGSystem, arguments: argparse.Namespace) -> list[int]:
    """Return the decks that a command is about: of the course named, which may have left the library."""
    decks = _study(rag).repository.decks()
    if not arguments.course:
        return [deck.deck_id for deck in decks]
    name = arguments.course.casefold()
    found = [deck.deck_id for deck in decks if name in deck.course_title.casefold()]
    if not found:
        raise UserError(f"No deck has a course title with “{arguments.course}” in it.")
    return found


def _item_json(item: Item) -> dict[str, Any]:
    hit = item.source.hit
    return {
        **fields(item, "uid", "kind", "difficulty", "language", "automatic"),
        **fields(item.text, "front", "back", "others", "explanation"),
        "text": KINDS[item.kind].statement(item.text),
        **fields(item, "quote", "start", "end"),
        **fields(hit, "course_title", "lesson_number", "lesson_title", "path"),
    }


def _made_json(made: list[Item], done: MakeDone) -> dict[str, Any]:
    return {
        "items": list(map(_item_json, made)),
        "dropped": {str(reason): number for reason, number in done.dropped},
        **fields(done, "covered", "passages"),
        "usage": fields(done.usage, *_TOKENS),
        "summary": done.summary,
        "error": done.error,
    }


def _due_json(due: Due) -> dict[str, int]:
    return fields(due, "new", "learning", "review", "total")
