"""How an item, its lesson and its source are worded in files for other programs."""

import html
import random
import re

from app.domain.messages import rendered
from app.domain.plain_text import harmless, shorten
from app.domain.search import SearchHit, lesson_name
from app.features.study.model.items import Item
from app.markup.formulas import formulas_in
from app.markup.markdown_html import markdown_to_html

_FORMULA = re.compile(r'<span class="formula">([^<]*+)</span>')
_ONE_PARAGRAPH = re.compile(r"<p>((?:(?!</?p[ >]).)*+)</p>", re.DOTALL)
_TAG = re.compile(r"<[^<>]*+>")
# Most items are plain words, for which the Markdown package would be slow.
_PLAIN = re.compile(r"""(?![-+=]|\d{1,9}[.)])(?:[^\W_]|[ ,.:;?!'"()%/–—’“”„…+=-])*+""")
_LONGEST_NAME = 100


def line(text: str) -> str:
    """Return a text on one line, without what steers a program that shows it."""
    return " ".join(harmless(text).split())


def lesson(hit: SearchHit) -> str:
    """Return the lesson of a passage in words; empty for a text without lessons."""
    return line(rendered(lesson_name(hit)) if hit.lesson_number is not None else hit.lesson_title)


def numbered_lesson(hit: SearchHit) -> str:
    """Return the lesson of a passage as a name that sorts by number, such as ``03 Spring tides``."""
    if hit.lesson_number is None:
        return line(hit.lesson_title)
    return line(f"{hit.lesson_number:02} {hit.lesson_title}")


def source(item: Item) -> str:
    """Return course and lesson of the quoted sentence."""
    hit = item.source.hit
    return ", ".join(filter(None, (line(hit.course_title), lesson(hit))))


def options(item: Item) -> tuple[str, ...]:
    """Return the choices of a question, right and wrong, in an order that is the same in every export."""
    mixed = [item.text.back, *item.text.others]
    random.Random(item.uid).shuffle(mixed)
    return tuple(mixed)


def to_html(markdown: str) -> str:
    r"""Return harmless HTML; formulas are ``\(…\)`` and ``\[…\]``, as MathJax wants them."""
    text = harmless(markdown.strip())
    if _PLAIN.fullmatch(text) and "://" not in text:
        return html.escape(text, quote=False)
    rough = markdown_to_html(text)
    single = _ONE_PARAGRAPH.fullmatch(rough)
    return _FORMULA.sub(_mathjax, single[1] if single else rough)


def as_html(text: str) -> str:
    """Return a text, which is not Markdown, as HTML on one line."""
    return html.escape(line(text), quote=False)


def to_plain(markdown: str) -> str:
    """Return what is read when Markdown is shown, on one line; formulas stay as their source."""
    return " ".join(html.unescape(_TAG.sub(" ", to_html(markdown))).split())


def name(item: Item) -> str:
    """Return a short title for a question."""
    return shorten(to_plain(item.text.front), _LONGEST_NAME)


def _mathjax(found: re.Match[str]) -> str:
    inner = html.unescape(found[1])
    formula = next((one.formula for one in formulas_in(inner)), None)
    if formula is None:
        return found[1]
    left, right = (r"\[", r"\]") if formula.display else (r"\(", r"\)")
    return f"{left}{html.escape(formula.latex, quote=False)}{right}"
