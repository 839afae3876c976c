"""Has the text of scanned pages recognised in a child process."""

from __future__ import annotations

import json
import os
import re
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from app.core.child_process import ChildDied, ChildOverspent, ChildProcess, ChildTimedOut
from app.core.ocr.kept_texts import ScannedPages
from app.core.ocr.pages import answer

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


class Recognizer(AbstractContextManager["Recognizer"]):
    """Finds and recognises scanned pages in a child process, started by the first. For one thread."""

    def __init__(self) -> None:
        self._child = ChildProcess(
            answer, "lectern-ocr", seconds=_CLOCK_SECONDS, cpu_seconds=_SECONDS, memory=_MEMORY
        )

    def __exit__(self, *_: object) -> None:
        self._child.close()

    def scanned_pages(self, path: Path, token: CancelToken) -> ScannedPages:
        """Look through a PDF; raises NotRecognized if it cannot be read."""
        found = self._ask(path, None, token)
        sha256 = str(found["sha256"])
        if not _DIGEST.fullmatch(sha256):  # it becomes the name of a file
            raise NotRecognized(path.name)
        return ScannedPages(sha256, tuple(map(int, found["pages"])))

    def page_text(self, path: Path, page: int, token: CancelToken) -> str:
        """Return the text of a page; raises NotRecognized if that cannot be had."""
        return str(self._ask(path, page, token)["text"])

    def _ask(self, path: Path, page: int | None, token: CancelToken) -> dict[str, Any]:
        if self._child.answered >= _PAGES:
            self._child.close()
        token.check()  # the child may be quicker than a look at the token
        request = json.dumps({"path": os.fsencode(path).hex(), "page": page}).encode()
        try:
            return dict(json.loads(self._child.ask(request, token)))
        except (ChildDied, ChildTimedOut, ChildOverspent, ValueError, TypeError) as error:
            self._child.close()
            raise NotRecognized(path.name) from error
