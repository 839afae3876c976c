"""The claims of an answer that its sources do not support, each with the reason."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.domain.plain_text import harmless
from app.markup.markdown_blocks import FOOTNOTE
from app.ui.markup.support_words import claim_words, doubtful_claims
from app.ui.widgets.building import vbox
from app.ui.widgets.text_labels import WrappingButton, plain_label

if TYPE_CHECKING:
    from app.domain.conversations import Exchange
    from app.domain.sources import Claim

_MOST = 12  # more would push the sources out of sight
_FOOTNOTE = re.compile(FOOTNOTE + ":?")
_MARKUP = re.compile(r"[*_`~#>|]+|!?\[([^\[\]\n]*)\]\([^()\n]*\)")


class ClaimList(QWidget):
    """Stands above the sources; hidden while no claim is doubtful."""

    claim_requested = Signal(int)  # where the claim ends in the answer

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[str, tuple[Claim, ...]] = ("", ())
        self._rows = QWidget()
        self._heading = plain_label(self.tr("Not supported"), "caption", wrap=False)
        self._heading.setContentsMargins(8, 4, 8, 0)
        self._place = vbox(self._rows)
        vbox(self._heading, self._place, margins=(0, 0, 0, 8), spacing=4, parent=self)
        self.hide()

    def set_claims(self, exchange: Exchange) -> None:
        """List the doubtful claims of an answer."""
        claims = doubtful_claims(exchange.claims)
        self.setVisible(bool(claims))
        if self._shown == (exchange.answer, exchange.claims):
            return
        self._shown = (exchange.answer, exchange.claims)
        self._place.removeWidget(self._rows)
        self._rows.hide()
        self._rows.deleteLater()
        self._rows = QWidget(self)
        parts: list[QWidget] = []
        for claim in claims[:_MOST]:
            parts += self._row(exchange, claim)
        if len(claims) > _MOST:
            parts.append(_caption(self.tr("and %Ln more", "", len(claims) - _MOST)))
        vbox(*parts, parent=self._rows)
        self._place.addWidget(self._rows)

    def tab_stops(self) -> tuple[QWidget, ...]:
        return tuple(self._rows.findChildren(WrappingButton))

    def _row(self, exchange: Exchange, claim: Claim) -> tuple[QWidget, QWidget]:
        text = _FOOTNOTE.sub("", exchange.answer[claim.answer_start : claim.answer_end])
        text = _MARKUP.sub(r"\1", harmless(text))
        button = WrappingButton(" ".join(text.split()))
        button.setProperty("kind", "flat")
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.clicked.connect(partial(self.claim_requested.emit, claim.answer_end))
        reason = claim_words(exchange, claim.answer_end)
        button.setAccessibleDescription(reason)
        return button, _caption(reason)


def _caption(text: str) -> QWidget:
    label = plain_label(text, "caption")
    label.setContentsMargins(8, 0, 8, 4)
    return label
