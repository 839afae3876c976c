"""What the links of the conversation do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QUrl

from app.ui.widgets.announcements import show_briefly

if TYPE_CHECKING:
    from app.ui.chat.transcript import Transcript


def follow_link(transcript: Transcript, url: QUrl) -> None:
    scheme, path = url.scheme(), url.path()
    requests = {
        "sources": transcript.sources_requested,
        "retry": transcript.retry_requested,
        "edit": transcript.edit_requested,
        "branch": transcript.branch_requested,
        "continue": transcript.continue_requested,
    }
    if scheme in ("http", "https"):
        transcript.link_activated.emit(url.toString(QUrl.ComponentFormattingOption.FullyEncoded))
    elif scheme == "cite":
        exchange_id, n, *_ = path.split("/")
        transcript.citation_activated.emit(int(exchange_id), int(n))
    elif scheme == "claim":
        exchange_id, end = path.split("/")
        transcript.show_claim(int(exchange_id), int(end))
    elif scheme in requests:
        requests[scheme].emit(int(path))
    elif scheme == "copy" and (exchange := transcript.exchange(int(path))):
        # Late, because the Markdown packages would delay the first picture of the window.
        from app.ui.chat.answer_clipboard import copy_answer

        copy_answer(exchange)
        show_briefly(transcript, QCoreApplication.translate("Transcript", "Copied"))
    elif scheme == "settings":
        transcript.settings_requested.emit()
    elif scheme == "earlier":
        transcript.show_earlier()
