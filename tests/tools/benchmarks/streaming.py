"""What a word costs at the end of a long answer, against the start of it.

``python -m tests.tools.benchmarks.streaming [--words 4000]`` prints one JSON line.

An answer of ``words`` words and one of twice as many are streamed into the chat, word by word, drawn and
painted after every eighth as it is at 200 words a second; the ratio of their processor times is 2 when a
word costs the same wherever it stands. The reference renders the whole answer again with every twenty
words, as the web version did.
"""

from __future__ import annotations

import os
import time
from typing import Any

import markdown
from PySide6.QtWidgets import QApplication

from app.domain.events import AnswerDone, AnswerText
from app.ui.chat.chat_pane import ChatPane
from app.ui.widgets.theme import Theme, apply_theme
from tests.support.chat_builders import exchange, started
from tests.tools.benchmarks.measuring import parser_of, print_result

_PARAGRAPH = (
    "A **vector** has a length and a direction. Two texts that mean the same lie near each other:\n\n"
    "- the first point of three\n- the second, with `code` in it\n- the third\n\n"
    "```python\nvector = embed(text)\n```\n\n"
)
_WORDS_DRAWN = 8


def words_of(count: int) -> list[str]:
    """Return Markdown of so many words, each with the space behind it."""
    words = [word + " " for word in _PARAGRAPH.replace("\n", "\n ").split(" ")]
    return [words[number % len(words)].replace("\n ", "\n") for number in range(count)]


def stream(application: QApplication, count: int) -> float:
    """Stream an answer; return processor seconds."""
    pane = ChatPane()
    pane.resize(800, 700)
    pane.show()
    pane.handle(started())
    began = time.process_time()
    for number, word in enumerate(words_of(count)):
        pane.handle(AnswerText(word))
        if number % _WORDS_DRAWN == 0:
            pane.transcript.flush()
            application.processEvents()
    pane.handle(AnswerDone(exchange(answer="".join(words_of(count)))))
    application.processEvents()
    taken = time.process_time() - began
    pane.close()
    pane.deleteLater()
    return taken


def render_again(count: int) -> float:
    """Render the answer from the start with every twenty words; return processor seconds."""
    words = words_of(count)
    began = time.process_time()
    for end in range(20, count + 1, 20):
        markdown.markdown("".join(words[:end]), extensions=["fenced_code"])
    return time.process_time() - began


def compare(words: int) -> dict[str, Any]:
    """Return what is printed."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    apply_theme(application, Theme.light())
    stream(application, min(words, 200))
    ours, theirs = [], []
    for count in (words, 2 * words):
        ours.append(stream(application, count))
        theirs.append(render_again(count))
    return {
        "benchmark": "streaming",
        "words": words,
        "ours": {"seconds": [round(each, 2) for each in ours], "growth": round(ours[1] / ours[0], 2)},
        "reference": {
            "seconds": [round(each, 2) for each in theirs],
            "growth": round(theirs[1] / theirs[0], 2),
        },
        "ratio": round(theirs[1] / ours[1], 2),
    }


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--words", type=int, default=4000)
    print_result(compare(parser.parse_args().words))


if __name__ == "__main__":
    main()
