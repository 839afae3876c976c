"""Has the text of scanned pages recognised in a child process."""

from __future__ import annotations

import json
import os
import re
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from app.core.child_process import ChildDied, ChildKilled, ChildOverspent, ChildProcess, ChildTimedOut
from app.core.ocr.kept_texts import ScannedPages
from app.core.ocr.pages import answer
from app.domain.pages import RecognizedLine, recognized_line

if TYPE_CHECKING:
    from pathlib import Path

    from app.domain.cancel import CancelToken

_SECONDS = 60.0  # of processor time for one page, or for looking through one file
_CLOCK_SECONDS = 600.0
_DIGEST = re.compile("[0-9a-f]{64}")
_PAGES = 20  # after which a child is replaced: OpenVINO keeps some megabytes for each size of a picture
_MEMORY = 3 * 2**30  # of address space; OpenVINO reserves more than it uses


class NotRecognized(Exception):
    """A page or file cannot be looked at."""


class NotFinished(Exception):
    """The child was ended from outside, or waited: the page or file may be looked at later."""


class Recognizer(AbstractContextManager["Recognizer"]):
    """Finds and recognises scanned pages in a child process, started by the first. For one thread."""

    def __init__(self) -> None:
        self._child = ChildProcess(
            answer, "lectern-ocr", seconds=_CLOCK_SECONDS, cpu_seconds=_SECONDS, memory=_MEMORY
        )

    def __exit__(self, *_: object) -> None:
        self._child.close()

    def scanned_pages(self, path: Path, token: CancelToken) -> ScannedPages:
        """Look through a file; raises as :meth:`page_text`."""
        found = self._ask(path, None, token)
        sha256 = str(found.get("sha256"))
        if not _DIGEST.fullmatch(sha256):  # it becomes the name of a file
            raise NotRecognized(path.name)
        return ScannedPages(sha256, tuple(map(int, found["pages"])))

    def page_text(self, path: Path, page: int, token: CancelToken) -> tuple[str, list[RecognizedLine]]:
        """Return the text of a page and where its lines stand; none of these for a slide.

        Raises NotRecognized, NotFinished or Cancelled.
        """
        found = self._ask(path, page, token)
        try:
            return str(found["text"]), [recognized_line(*line) for line in found["lines"]]
        except (ValueError, TypeError, KeyError) as error:
            raise NotRecognized(path.name) from error

    def _ask(self, path: Path, page: int | None, token: CancelToken) -> dict[str, Any]:
        """Ask the child, and if it fails another one, which has done nothing else before."""
        if self._child.answered >= _PAGES:
            self._child.close()
        token.check()  # the child may be quicker than a look at the token
        request = json.dumps({"path": os.fsencode(path).hex(), "page": page}).encode()
        for attempt in (1, 2):
            try:
                return dict(json.loads(self._child.ask(request, token)))
            except (ChildKilled, ChildTimedOut) as error:
                raise NotFinished(path.name) from error
            except (ChildDied, ChildOverspent, ValueError, TypeError) as error:
                self._child.close()
                if attempt == 2:
                    raise NotRecognized(path.name) from error
        raise AssertionError  # the second attempt returns or raises
