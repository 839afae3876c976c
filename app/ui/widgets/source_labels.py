"""What places in courses and servers are called."""

from functools import partial

from PySide6.QtCore import QCoreApplication

from app.domain.documents import Anchor, clock
from app.domain.plain_text import harmless
from app.domain.search import SearchHit
from app.domain.shared import DEFAULT_DATABASE, ServerState, SharedLibrary
from app.domain.sources import SourceState
from app.domain.words import in_words
from app.ui.widgets.messages import shown

_WITHIN = " › "  # between the headings of a path, and the parts of a lesson's title

tr = partial(QCoreApplication.translate, "SourceLabels")


def course_name(hit: SearchHit) -> str:
    return harmless(hit.course_title)


def lesson_name(hit: SearchHit) -> str:
    """Return the lesson's number and title; empty for text outside lessons."""
    return numbered_lesson(hit.lesson_number, hit.lesson_title)


def numbered_lesson(number: int | None, title: str) -> str:
    title = harmless(title)
    if number is None:
        return title
    return tr("Lesson {0}: {1}").format(number, title) if title else tr("Lesson {0}").format(number)


def source_label(hit: SearchHit) -> str:
    """Return course and lesson, such as ``Statistics, Lesson 3: Spread``."""
    return ", ".join(part for part in (course_name(hit), lesson_name(hit)) if part)


def place_name(hit: SearchHit) -> str:
    """Return where a passage stands in its file, such as ``page 3`` or ``pages 3–5``; empty if unknown.

    Headings that the lesson is named after are left out.
    """
    anchor = hit.anchor
    if anchor is None:
        return ""
    if hit.pages:
        match anchor.kind:
            case "page":
                return tr("pages {0}–{1}").format(*hit.pages)
            case "slide":
                return tr("slides {0}–{1}").format(*hit.pages)
            case "cell":
                return tr("cells {0}–{1}").format(*hit.pages)
    name = _anchor_name(anchor)
    if anchor.kind == "heading":
        own = [in_words(part) for part in hit.lesson_title.split(_WITHIN)]
        name = _WITHIN.join(part for part in name.split(_WITHIN) if in_words(part) not in own)
    return name


def server_of(hit: SearchHit) -> str:
    return tr("on {server}").format(server=harmless(hit.server)) if hit.server else ""


def _anchor_name(anchor: Anchor) -> str:
    match anchor.kind:
        case "page":
            return tr("page {0}").format(anchor.value)
        case "scan":
            return tr("page {0} (recognized text)").format(anchor.value)
        case "slide":
            return tr("slide {0}").format(anchor.value)
        case "slide_scan":
            return tr("slide {0} (recognized text)").format(anchor.value)
        case "cell":
            return tr("cell {0}").format(anchor.value)
        case "seconds":
            return tr("at {0}").format(clock(float(anchor.value)))
        case "heading":
            return harmless(str(anchor.value))


def state_words(state: SourceState) -> tuple[str, str]:
    """Return a badge and its explanation; both empty for a current source."""
    match state:
        case SourceState.CURRENT:
            return "", ""
        case SourceState.CHANGED:
            return tr("changed since"), tr(
                "This text has changed since the answer. You see the passage as it was then."
            )
        case SourceState.REMOVED:
            return tr("no longer in the library"), tr(
                "The file is no longer in the library. You see the passage as it was."
            )


TROUBLED = (ServerState.AWAY, ServerState.REFUSED)


def server_name(library: SharedLibrary) -> str:
    """Return the server's name, with the database unless it is the usual one: a server may have several."""
    address = library.address
    named = address.host if address.database == DEFAULT_DATABASE else f"{address.host} · {address.database}"
    return harmless(named)


def state_word(state: ServerState) -> str:
    """Return a word for a row; empty for a server that is ready."""
    match state:
        case ServerState.UNKNOWN | ServerState.CHECKING:
            return tr("checking…")
        case ServerState.AWAY:
            return tr("unavailable")
        case ServerState.REFUSED:
            return tr("refused")
        case ServerState.READY:
            return ""


def state_sentence(library: SharedLibrary) -> str:
    """Return how a server is, and what to do about it if something is wrong."""
    if library.state in TROUBLED:
        why = shown(library.problem) if library.problem is not None else tr("The server cannot be used.")
        return f"{why} {tr('Your own courses are searched as usual.')}"
    if library.state is ServerState.READY:
        return tr("Ready. Its courses are searched together with yours.")
    return tr("Checking the server…")
