"""Runs the command line, in this process or in one of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.main import main

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:  # noqa: ANN401 - any JSON
        """Standard output, which has to be JSON and nothing else."""
        return json.loads(self.out)

    @property
    def json_lines(self) -> list[Any]:
        """Standard output, one JSON value a line."""
        return [json.loads(line) for line in self.out.splitlines()]


class Commands:
    """The command line on one data directory."""

    def __init__(self, data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.data_dir = data_dir
        self._capsys = capsys

    def __call__(self, *arguments: object) -> Ran:
        """Run in this process."""
        self._capsys.readouterr()
        code = main(["--data-dir", str(self.data_dir), *map(str, arguments)])
        out, err = self._capsys.readouterr()
        return Ran(code, out, err)

    def start(
        self, *arguments: object, start_new_session: bool = False, **environment: str
    ) -> subprocess.Popen[str]:
        """Start a process of its own, with pipes."""
        return subprocess.Popen(
            [sys.executable, "-m", "app", "--data-dir", str(self.data_dir), *map(str, arguments)],
            env={**os.environ, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            start_new_session=start_new_session,
        )

    def apart(self, *arguments: object, **environment: str) -> Ran:
        """Run in a process of its own."""
        with self.start(*arguments, start_new_session=False, **environment) as process:
            out, err = process.communicate(timeout=300)
        return Ran(process.returncode, out, err)
