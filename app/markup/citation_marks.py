"""Places the marks of citations, and the ends of doubtful claims, in an answer's Markdown.

They travel through Markdown as tokens of private-use characters, which mean nothing there, and become
HTML only after the answer's own is sanitised. Such characters in the model's own text are replaced
beforehand, so that it cannot forge a mark.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from operator import itemgetter
from typing import NamedTuple

from app.domain.plain_text import harmless
from app.domain.sources import Citation, Claim, Support
from app.markup.formulas import formulas_in
from app.markup.markdown_blocks import LIST_MARKER, Block, closes_fence, fence_of


class MarkForm(StrEnum):
    """What a mark looks like; the values name tokens."""

    PLAIN = "v"  # in line with its source, or not examined
    FOUND = "f"  # in line with sentences that Lectern found: the model made no mark
    DOUBTFUL = "q"  # the quotation stands in its source, but does not show the claim
    WRONG = "u"  # leads nowhere, or to sentences that say something else


class CitationMark(NamedTuple):
    n: int  # of the source
    form: MarkForm
    end: int  # of the claim, as ``Citation.answer_end``


class ClaimSpan(NamedTuple):
    """What a piece of text belongs to."""

    end: int  # of the claim, as ``Claim.answer_end``
    is_outside: bool  # it does not come from the courses


_FORGED = re.compile("[\ue000-\ue003\ufdd0-\ufdef\ufffc]")  # also Qt's own characters in a document
_TOKEN = re.compile("\ue000([0-9]+)([vfqu])([0-9]+)\ue001")
_CLAIM_TOKEN = re.compile("\ue000(?:[+]([0-9]+)([on])|-)\ue001")
_CLAIM_ENDS = "\ue000-\ue001"
_ATOMS = re.compile(
    r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)|!?\[[^\[\]\n]*\]\((?:[^()\n]|\([^()\n]*\))*+\)|<https?://[^<>\s]*>",
    re.DOTALL,
)
_MOST_MARKS = 200  # of a block at places of their own
LEAD = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})(?:[ \t]+|$))?[ \t>]*")


def form_of(citation: Citation) -> MarkForm:
    if not citation.verified or citation.support in (Support.NOT_FOUND, Support.NOT_FROM_COURSES):
        return MarkForm.WRONG
    if citation.support is Support.QUOTE_FOUND:
        return MarkForm.DOUBTFUL
    return MarkForm.FOUND if citation.is_found else MarkForm.PLAIN


def token_of(item: Citation | Claim) -> str:
    """Return the form in which a citation's mark, or the start of a claim, travels through Markdown."""
    if isinstance(item, Claim):
        return f"\ue000+{item.answer_end}{'n' if item.support is Support.NOT_FROM_COURSES else 'o'}\ue001"
    return f"\ue000{item.source_n}{form_of(item)}{item.answer_end}\ue001"


def without_tokens(text: str) -> str:
    """Return text of the same length that holds none of our tokens and neither hides nor turns around."""
    return _FORGED.sub("\ufffd", harmless(text))


def replace_tokens(text: str, mark: Callable[[CitationMark], str]) -> str:
    """Return ``text`` with each mark's token replaced by ``mark(…)``, and without the tokens of claims."""

    def shown(match: re.Match[str]) -> str:
        return mark(CitationMark(int(match.group(1)), MarkForm(match.group(2)), int(match.group(3))))

    return _TOKEN.sub(shown, _CLAIM_TOKEN.sub("", text))


def split_by_claim(text: str, claim: ClaimSpan | None) -> Iterator[tuple[str, ClaimSpan | None]]:
    """Yield the pieces of a text and the claim that each belongs to; the first belongs to ``claim``."""
    done = 0
    for token in _CLAIM_TOKEN.finditer(text):
        yield text[done : token.start()], claim
        claim = ClaimSpan(int(token.group(1)), token.group(2) == "n") if token.group(1) else None
        done = token.end()
    yield text[done:], claim


def owner_of(position: int, blocks: Sequence[Block]) -> int:
    """Return the index of the block that shows a mark at ``position``: the last that starts before it."""
    return max(0, bisect_left(blocks, position, key=lambda block: block.start) - 1)


def with_marks(source: str, block: Block, items: Sequence[Citation | Claim]) -> tuple[str, str]:
    """Return a block's Markdown with the tokens of its marks and claims, and tokens to show after the block.

    Marks in code go after the block, the others to the nearest place that leaves the Markdown intact.
    Equal marks at one place are shown once. Too many go after the block as well.
    """
    text = source[block.start : block.end]
    lines = _text_lines(text, block) if items else []
    if block.kind in ("fence", "code", "rule") or not lines:
        return text, _behind(items)
    parts: list[str] = []
    done = 0
    for place, token in _placed(text, block, lines, items[:_MOST_MARKS]):
        parts += [text[done:place], token]
        done = place
    return "".join([*parts, text[done:]]), _behind(items[_MOST_MARKS:])


def _behind(items: Sequence[Citation | Claim]) -> str:
    marks = {(item.source_n, form_of(item)): token_of(item) for item in items if isinstance(item, Citation)}
    return "".join(marks.values())


def _placed(
    text: str, block: Block, lines: list[tuple[int, int]], items: Sequence[Citation | Claim]
) -> list[tuple[int, str]]:
    """Return the tokens of a block in order: a claim ends, its marks follow, the next claim begins."""
    atoms = _atoms(text)
    found: list[tuple[int, int, str]] = []
    shown: set[tuple[int, int, MarkForm]] = set()
    for item in items:
        place = _safe_place(text, block, atoms, lines, item.answer_end - block.start)
        if isinstance(item, Claim):
            start = _safe_start(text, block, atoms, lines, item.answer_start - block.start)
            if start < place:
                found += [(start, 2, token_of(item)), (place, 0, _CLAIM_ENDS)]
        elif (mark := (place, item.source_n, form_of(item))) not in shown:
            shown.add(mark)
            found.append((place, 1, token_of(item)))
    return [(place, token) for place, _, token in sorted(found, key=itemgetter(0, 1))]


def _atoms(text: str) -> list[tuple[int, int]]:
    """Return the spans that a token must not divide, in order: formulas, code, links."""
    spans = [(found.start, found.end) for found in formulas_in(text)]
    apart: list[tuple[int, int]] = []
    for start, end in sorted(spans + [atom.span() for atom in _ATOMS.finditer(text)]):
        if apart and start < apart[-1][1]:  # "[a](b)" in a formula is no link
            start, end = apart[-1][0], max(end, apart.pop()[1])
        apart.append((start, end))
    return apart


def _safe_start(
    text: str, block: Block, atoms: list[tuple[int, int]], lines: list[tuple[int, int]], place: int
) -> int:
    """Return where a token can stand for a claim that starts at ``place``; see :func:`_safe_place`."""
    place = max(0, min(place, len(text)))
    before = bisect_left(atoms, (place,)) - 1
    if before >= 0 and place < atoms[before][1]:
        place = atoms[before][0]
    while 0 < place < len(text) and (
        text[place - 1] == "\\" or (text[place] == text[place - 1] and text[place] in "*_~`")
    ):
        place -= 1
    first, _ = lines[min(bisect_left(lines, place, key=itemgetter(1)), len(lines) - 1)]
    if block.kind == "table" and text.startswith("|", first):
        first += 1
    return max(place, first)


def _safe_place(
    text: str, block: Block, atoms: list[tuple[int, int]], lines: list[tuple[int, int]], place: int
) -> int:
    """Return where in a block's text a token can stand for a mark at ``place``, or outside of the text.

    It divides no span of ``atoms``, and stands in one of ``lines``.
    """
    place = max(0, min(place, len(text)))
    before = bisect_left(atoms, (place,)) - 1
    if before >= 0 and place < atoms[before][1]:
        place = atoms[before][1]
    place = _behind_run(text, place)
    first, end = lines[max(0, bisect_left(lines, (place,)) - 1)]
    # The mark touches the word before it.
    place = first + len(text[first : min(place, end)].rstrip(" \t"))
    if block.kind == "table":
        # Inside the cell: neither after the bar that closes the row nor before the one that opens it.
        if place > first + 1 and text[place - 1] == "|":
            place = first + len(text[first : place - 1].rstrip(" \t"))
        if text.startswith("|", first):
            place = max(place, first + 1)
    return place


def _text_lines(text: str, block: Block) -> list[tuple[int, int]]:
    """Return the lines that can carry a token, from after their markers: no fenced code, no rules."""
    spans: list[tuple[int, int]] = []
    fence = ""
    end = -1
    for index, line in enumerate(text.split("\n")):
        end += 1 + len(line)
        stripped = line.strip()
        if block.kind == "quote":
            stripped = stripped.lstrip("> ")
        if fence:
            fence = "" if closes_fence(stripped, fence) else fence
            continue
        marker = LIST_MARKER.match(stripped)
        if block.kind in ("list", "quote"):
            fence, _ = fence_of(stripped[marker.end() :] if marker else stripped)
        if (
            not fence
            and stripped.strip("=-> ")
            and not (block.kind == "table" and index == 1 and not block.head)
        ):
            spans.append((end - len(LEAD.sub("", line, count=1)), end))
    return spans


def _behind_run(text: str, place: int) -> int:
    """Split neither a run of emphasis signs nor a backslash from the character it escapes."""
    if 0 < place < len(text) and text[place - 1] == "\\":
        place += 1
    while 0 < place < len(text) and text[place] == text[place - 1] and text[place] in "*_~`":
        place += 1
    return place
