"""What is shown of a card, the words for its kind, marks and place, and the view of it."""

import html
import re
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication

from app.domain.documents import becomes_markdown
from app.domain.messages import Message
from app.domain.plain_text import harmless, shorten
from app.domain.sources import Citation, Source, Support
from app.features.study.grading import Comparison, Span, compare, is_open
from app.features.study.kinds import GAP, KINDS
from app.features.study.model.items import Difficulty, Item
from app.features.study.model.names import ItemKind
from app.markup.formulas import one_line, without_signs
from app.markup.markdown_html import markdown_to_html
from app.ui.markup.qt_html import qt_html
from app.ui.markup.rich_text import FormulaPictures, RichTextView
from app.ui.widgets.messages import shown
from app.ui.widgets.source_labels import lesson_name, source_label
from app.ui.widgets.theme import Theme, is_large_text

tr = partial(QCoreApplication.translate, "StudyWords")


class RichView(RichTextView):
    """Shows HTML that :meth:`html_of` made of Markdown; formulas are drawn once they are set.

    Attributes:
        lacks_formulas: whether what :meth:`html_of` returned last has to be drawn again when formulas came.
    """

    def __init__(self, formulas: FormulaPictures) -> None:
        super().__init__()
        self.formulas = formulas
        self.lacks_formulas = False

    def html_of(self, markdown: str, *, number: int = 0, href: str = "") -> str:
        """Return rich text for Markdown, with a mark of a number at its end, a link, if that is given."""
        end = len(markdown.rstrip())
        cited = Citation(number, 0, end, 0, 0, "", verified=True, support=Support.STANDS)
        plain = markdown_to_html(markdown, [cited] if number else ())
        self.lacks_formulas = not self.is_ready(plain)
        colour, size = self.theme.accent, self.theme.caption
        mark = f'&#8288;<a href="{href}" style="font-size:{size}px; color:{colour}">&nbsp;[{number}]</a>'
        return qt_html(plain, self.theme, lambda _: mark, formula=self.formula_html)


def kind_name(kind: ItemKind) -> str:
    return shown(Message(f"study.kind_{kind}"))


def kinds_name(kind: ItemKind) -> str:
    return shown(Message(f"study.kinds_{kind}"))


def difficulty_name(difficulty: Difficulty) -> str:
    match difficulty:
        case Difficulty.EASY:
            return tr("Easy: what a sentence says")
        case Difficulty.MEDIUM:
            return tr("Medium: what it means")
        case Difficulty.HARD:
            return tr("Hard: how ideas connect")


def marks(item: Item) -> list[str]:
    """Return what is to be known of an item beside its text, a word or two each."""
    found = {
        tr("automatic"): item.automatic,
        tr("edited"): item.edited and item.kind is not ItemKind.MARK,  # as each is that has a note
        tr("stale"): item.state != "current",
        tr("suspended"): item.suspended,
    }
    return [words for words, holds in found.items() if holds]


def as_read(source: Source, sentence: str) -> str:
    """Return a sentence of a source without signs of Markdown, if that is what its file becomes."""
    if becomes_markdown(source.hit.path):
        sentence = without_signs(_QUOTED.sub("", sentence))
    return harmless(sentence)


_QUOTED = re.compile(r"^(?: {0,3}>)+", re.MULTILINE)
_SHORT, _SHORTER = 80, 24  # characters, the latter of large text


def card_html(view: RichView, item: Item, *, is_answered: bool = False, typed: str = "") -> str:
    """Return a card under its kind and lesson; below it the answer, once that is asked for.

    ``typed`` tells of a typed answer. A text with gaps is shown once, with the gaps or filled. Large text
    leaves little room for the question, so that kind and lesson come after the answer.
    """
    text, kind = item.text, KINDS[item.kind]
    whole = kind.statement(text)  # which holds the answer
    hit = item.source.hit
    is_large = is_large_text()
    where = lesson_name(hit) if is_large else source_label(hit)  # in one line
    name = html.escape(" · ".join(filter(None, (kind_name(item.kind), where))))
    parts = [] if is_large else [f'<p class="footer">{name}</p>']
    front = kind.question(text, "" if is_answered else GAP)
    parts.append(view.html_of(front))
    if is_answered:
        parts += [] if whole and not typed and not text.explanation else [view.html_of("---")]
        parts.append(typed)
        parts += [view.html_of(one) for one in (text.back, text.explanation) if one]
        if whole != item.quote:
            parts.append(quote_html(item))
        parts += [f'<p class="footer">{name}</p>'] if is_large else []
    return "".join(parts)


def quote_html(item: Item) -> str:
    quote = tr("From the course: “{0}”").format(" ".join(as_read(item.source, item.quote).split()))
    return f'<p class="footer">{html.escape(quote)}</p>'


def comparison_html(typed: str, found: Comparison, theme: Theme) -> str:
    """Return what was typed below what was asked, with what differs from the answer."""
    if found.is_right:
        right = html.escape(tr("✓ Your answer is right."))
        return f'<p style="color:{theme.success}"><b>{right}</b></p>'
    ours = marked(typed, found.wrong, f'<s style="color:{theme.danger}">', "</s>")
    theirs = marked(found.answer, found.missing, "<u><b>", "</b></u>")
    rows = ((tr("You typed:"), ours or f"<i>{html.escape(tr('nothing'))}</i>"), (tr("The answer:"), theirs))
    lines = "<br>".join(f"{html.escape(name)} {text}" for name, text in rows)
    note = html.escape(tr("Struck through: not in the answer. Underlined: missing."))
    return f'<p>{lines}</p><p class="footer">{note}</p>'


def is_graded(item: Item, typed: str, found: Comparison) -> bool:
    """Whether an answer is graded by its points, since it consists of whole sentences."""
    return bool(typed.strip()) and not found.is_right and is_open(item)


def typed_html(typed: str) -> str:
    return f"<p>{html.escape(tr('You typed:'))} {html.escape(typed)}</p>"


def compared(typed: str, item: Item) -> Comparison:
    """Compare a typed answer with the item's, or with the nearest of several."""
    return compare(typed, KINDS[item.kind].answers(item.text))


def plain(item: Item, *, is_answered: bool) -> str:
    """Return a card as a screen reader says it."""
    text, kind = item.text, KINDS[item.kind]
    if is_answered:
        said = kind.statement(text) or " ".join((text.back, text.explanation)).strip()
    else:
        said = kind.question(text, tr("blank")).removeprefix("## ")
    return one_line(said)


def short(item: Item) -> str:
    return shorten(plain(item, is_answered=False), _SHORTER if is_large_text() else _SHORT)


def marked(text: str, spans: Sequence[Span], before: str, after: str) -> str:
    """Return a text as HTML, with something around spans of it."""
    parts, done = [], 0
    for start, end in spans:
        parts += [html.escape(text[done:start]), before, html.escape(text[start:end]), after]
        done = end
    return "".join([*parts, html.escape(text[done:])])
