"""What is said of the support of an answer: of its marks, its claims and its origin."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication

from app.domain.conversations import Exchange, ExchangeState
from app.domain.messages import Message
from app.domain.search import missing_words
from app.domain.sources import NO_SOURCE, Citation, Claim, Support
from app.markup.citation_marks import CitationMark, MarkForm, form_of
from app.ui.widgets.messages import shown

tr = partial(QCoreApplication.translate, "AnswerSupport")


def doubtful_claims(claims: Sequence[Claim]) -> list[Claim]:
    """Return the claims that were not found in the sources; none of an answer wholly from elsewhere."""
    doubtful = [claim for claim in claims if not claim.support.is_good]
    return [] if are_from_elsewhere(claims) else doubtful


def are_from_elsewhere(claims: Sequence[Claim]) -> bool:
    """Return whether no claim has to do with the courses, so that one sentence covers them all."""
    return bool(claims) and all(claim.support is Support.NOT_FROM_COURSES for claim in claims)


def mark_words(exchange: Exchange, n: int, end: int) -> str:
    """Return the meaning of a mark at the end of a claim that names source ``n``."""
    citation = _citation(exchange, n, end)
    if citation is None:
        return ""
    claim = next((one for one in exchange.claims if one.answer_start < end <= one.answer_end), None)
    reason = f" {shown(claim.reason)}" if claim and claim.reason else ""
    match form_of(citation):
        case MarkForm.FOUND:
            words = f"{_grade(citation)} {tr('Lectern found the sentence; the model did not cite it.')}"
        case MarkForm.DOUBTFUL:
            words = tr("Source {n} has the quoted words, but they do not show this.")
        case MarkForm.WRONG if n == NO_SOURCE:
            words = tr("This citation names no source.")
        case MarkForm.WRONG if not (citation.verified or is_bare(citation)):
            words = tr("Source {n}: could not be verified. It does not have the quoted words.")
        case MarkForm.WRONG:
            words = tr("Not found in source {n}.")
        case _ if citation.support is not None:
            words = _grade(citation)
        case _:
            return tr("Open source {n}").format(n=n)
    return words.format(n=n) + reason


def _grade(citation: Citation) -> str:
    is_copied = citation.support is Support.STANDS
    return tr("Stands in source {n}, nearly word for word.") if is_copied else tr("In line with source {n}.")


def mark_in_passing(exchange: Exchange, n: int, end: int) -> str:
    """Return what a mark means, only its source if nothing is wrong with it: to be heard amid the text."""
    citation = _citation(exchange, n, end)
    is_plain = citation is None or form_of(citation) is MarkForm.PLAIN
    return tr("source {n}").format(n=n) if is_plain else mark_words(exchange, n, end)


def mark_note(exchange: Exchange, mark: CitationMark) -> str:
    """Return a few words to put after a mark where there is no tool tip; none for a plain mark."""
    citation = _citation(exchange, mark.n, mark.end)
    match mark.form:
        case MarkForm.FOUND:
            return tr("found by Lectern")
        case MarkForm.DOUBTFUL:
            return tr("quoted, but does not show this")
        case MarkForm.WRONG if citation is not None and (citation.verified or is_bare(citation)):
            return tr("not found in the source")
        case MarkForm.WRONG:
            return tr("could not be verified")
    return ""


def is_bare(citation: Citation) -> bool:
    """Return whether a citation only names a source, so that no quoted words can be missing there."""
    return citation.source_n != NO_SOURCE and not citation.cited_text


def _citation(exchange: Exchange, n: int, end: int) -> Citation | None:
    places = (one for one in exchange.citations if (one.source_n, one.answer_end) == (n, end))
    return next(places, None)


def claim_words(exchange: Exchange, end: int) -> str:
    """Return why the claim that ends at a position of the answer was not found in the sources."""
    claim = next((one for one in exchange.claims if one.answer_end == end), None)
    if claim is None or claim.support.is_good:
        return ""
    words = {
        Support.QUOTE_FOUND: tr("The quoted words are in your courses, but they do not show this."),
        Support.NOT_FOUND: tr("Not found in the sources."),
        Support.NOT_FROM_COURSES: tr("This does not come from your courses."),
    }[claim.support]
    # What a source says instead is about something else where the claim has nothing to do with the courses.
    is_outside = claim.support is Support.NOT_FROM_COURSES
    return f"{words} {shown(claim.reason)}" if claim.reason and not is_outside else words


def in_line_words(exchange: Exchange) -> str:
    """Return how many statements of an answer stand in their sources or are in line with them."""
    if not exchange.claims or are_from_elsewhere(exchange.claims):
        return ""
    return shown(Message("answers.in_line_count", count=exchange.in_line_count, n=len(exchange.claims)))


def origin_words(exchange: Exchange) -> str:
    """Say that an answer does not come from the courses, or hardly; nothing if it does."""
    if exchange.model is None or not exchange.answer or exchange.state is ExchangeState.WRITING:
        return ""
    if exchange.is_courtesy:
        return ""
    if not exchange.sources:
        return tr("This answer does not come from your courses: no passage was used for it.")
    if are_from_elsewhere(exchange.claims):
        return tr("This answer does not come from your courses.")
    if exchange.covered is False:
        missing = missing_words(exchange.missing)
        words = tr("Your courses do not seem to cover this.")
        return f"{words} {shown(missing)}" if missing else words
    if exchange.claims and not exchange.in_line_count:
        return tr("Nothing that this answer says was found in your courses.")
    outside = [claim for claim in exchange.claims if claim.support is Support.NOT_FROM_COURSES]
    if 2 * len(outside) > len(exchange.claims):
        return tr("Most of this answer does not come from your courses.")
    return ""
