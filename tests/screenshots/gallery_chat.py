"""Pictures of the chat in its states, light and dark, for a person to look at.

Run ``python -m tests.screenshots.gallery_chat [folder]``, on a desktop or under ``xvfb-run``.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from app.domain.conversations import Exchange, ExchangeState
from app.domain.courses import LibraryCounts
from app.domain.events import (
    AnswerCitation,
    AnswerDone,
    AnswerInterrupted,
    AnswerStarted,
    AnswerText,
    ReadingStarted,
    SearchStarted,
    SourcesFound,
)
from app.domain.messages import LITERAL, Message
from app.domain.model_servers import WholeScope
from app.domain.scope import taught_so_far
from app.domain.search import SearchHit
from app.domain.sources import Citation, Source
from app.ui.chat.pane import ChatPane
from app.ui.widgets.messages import install_translations
from app.ui.widgets.theme import Theme, apply_theme

if TYPE_CHECKING:
    from collections.abc import Callable

ANSWER = """**Prompt caching** stores the beginning of a request on the server, so that it need not be read
again. It cuts the cost of repeated input by up to 90 % and the time to the first word by up to 85 %.

## How to use it

1. Put what never changes first: system prompt, tools, long documents.
2. Mark the end of it with `cache_control`:

   ```python
   message = {
       "role": "user",
       "content": [{"type": "text", "text": book, "cache_control": {"type": "ephemeral"}}],
   }
   ```
3. Send the next request within five minutes:
   - a hit renews the time,
   - a changed character ends it.

```python
def cost(tokens: int, cached: int) -> float:
    \"\"\"Price in dollars; cached input costs a tenth.\"\"\"
    return (tokens - cached) * 3e-6 + cached * 0.3e-6  # per token
```

| | first request | later ones |
|-|-:|-:|
| writing the cache | 125 % | |
| reading it | | 10 % |

> A cache is a promise about a prefix, not about a meaning.

More in the [documentation](https://docs.example.org/caching)."""

QUESTION = "What is prompt caching, and when is it worth it?"
SUGGESTIONS = (
    "What is retrieval-augmented generation?",
    "How do I choose between the mean and the median when the data has a few very large values in it?",
    "Who deciphered Linear B?",
    "What does lesson 3 of “Using Lectern” say about citations?",
)


def source(n: int, title: str, lesson: int) -> Source:
    """Return a source to show."""
    hit = SearchHit(
        n, 0.8, "Building Towards Computer Use", lesson, title, n, "text", "a.txt", 0, 4, None, None, 1
    )
    return Source(n, f"s{n}", hit, ((0, 4),), "0" * 64)


def citation(n: int, after: str, *, verified: bool = True) -> Citation:
    """Return a citation that ends where ``after`` ends in the answer."""
    end = ANSWER.index(after) + len(after)
    return Citation(n, max(0, end - 20), end, 0, 4, "text", verified)


SOURCES = (source(1, "Prompt caching", 5), source(2, "Working with the API", 2), source(3, "Tools", 6))
CITATIONS = (
    citation(1, "read\nagain."),
    citation(1, "up to 85 %."),
    citation(2, "up to 85 %."),
    citation(3, "long documents."),
    citation(2, "a hit renews the time,", verified=False),
    citation(1, "| 10 % |"),
    citation(2, "not about a meaning."),
)


def exchange(number: int, state: ExchangeState = ExchangeState.DONE, error: str | None = None) -> Exchange:
    """Return an exchange to show."""
    text = ANSWER if state is ExchangeState.DONE else ANSWER[:170]
    done = state is ExchangeState.DONE
    return Exchange(
        number,
        None,
        QUESTION,
        text if not error else "",
        state,
        sources=SOURCES if not error else (),
        citations=CITATIONS if done else (),
        model="model",
        error=Message(LITERAL, text=error) if error else None,
        seconds=1.24,
    )


def begin(pane: ChatPane, number: int, question: str = QUESTION) -> None:
    """Have an answer begin."""
    pane.set_busy(True)
    pane.handle(AnswerStarted(Exchange(number, None, question, "", ExchangeState.WRITING), 1))


def searching(pane: ChatPane) -> None:
    begin(pane, 1)
    pane.handle(SearchStarted("prompt caching cost and latency", "Building Towards Computer Use"))


def reading(pane: ChatPane) -> None:
    begin(pane, 1, "Summarise lesson 3")
    pane.handle(ReadingStarted("Building Towards Computer Use", 3))
    pane.scope_bar.set_scope(taught_so_far("Building Towards Computer Use", 3))
    pane.scope_bar.tell_whole(WholeScope(14_200, 0.053, 0.0043))


def streaming(pane: ChatPane) -> None:
    begin(pane, 1)
    pane.handle(SourcesFound(SOURCES))
    text = ANSWER[: ANSWER.index("return (tokens") + 20]
    for start in range(0, len(text), 7):
        pane.handle(AnswerText(text[start : start + 7]))
    for each in CITATIONS[:5]:
        pane.handle(AnswerCitation(each))


def answered(pane: ChatPane) -> None:
    pane.show_exchanges([exchange(1)])


def failing(pane: ChatPane) -> None:
    pane.show_exchanges([exchange(1, ExchangeState.STOPPED)])
    failed = exchange(2, ExchangeState.FAILED, "The server refuses the API key. Check it in the settings.")
    failed = replace(failed, question="And what does <b>it</b> cost\nif I use it   twice?")
    begin(pane, 2, failed.question)
    pane.handle(AnswerInterrupted(failed))
    pane.set_busy(False)
    pane.show_notice("The library is being read again; answers may be incomplete.", "warning")
    pane.show_notice("4 new passages are in the library.", "info")


def finished(pane: ChatPane) -> None:
    streaming(pane)
    pane.handle(AnswerDone(exchange(1)))
    pane.set_busy(False)
    pane.transcript.verticalScrollBar().setValue(0)
    pane.composer.set_text("A question\nof three lines\nthat is being written")


def welcome(pane: ChatPane) -> None:
    pane.set_search_only(True)


def empty(pane: ChatPane) -> None:
    pane.welcome.set_library(LibraryCounts(0, 0, 0), ())
    pane.set_preparing("Preparing the search model; this happens once and takes a few seconds…")


STATES: dict[str, Callable[[ChatPane], None]] = {
    "welcome": welcome,
    "empty": empty,
    "searching": searching,
    "reading": reading,
    "streaming": streaming,
    "answered": answered,
    "finished": finished,
    "failing": failing,
}


def wait(app: QApplication, seconds: float) -> None:
    """Let the window live for a while."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        app.processEvents()
        time.sleep(0.005)


def main() -> None:
    """Save every state in both themes and two sizes."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "build/gallery")
    folder.mkdir(parents=True, exist_ok=True)
    app = QApplication(sys.argv[:1])
    install_translations(app)
    for theme in (Theme.light(), Theme.dark()):
        apply_theme(app, theme)
        for width, height in ((1000, 700), (1600, 1000)):
            for name, show in STATES.items():
                pane = ChatPane(theme)
                pane.welcome.set_library(LibraryCounts(4, 28, 1528), SUGGESTIONS)
                # The size the pane has between the sidebar and the sources.
                pane.resize(width - (260 if width == 1000 else 620), height - 60)
                pane.show()
                pane.activateWindow()
                pane.focus_composer()
                show(pane)
                wait(app, 0.25)
                pane.grab().save(str(folder / f"chat-{name}-{theme.name}-{width}.png"))
                pane.close()
                pane.deleteLater()


if __name__ == "__main__":
    main()
