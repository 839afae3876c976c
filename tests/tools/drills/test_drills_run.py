"""Every drill runs, and a few rounds of it break no promise."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.drills.drill import Drill, run

pytestmark = pytest.mark.slow

ROUNDS = {"kills": 1, "power_cuts": 1, "corruptions": 1, "fuzzed_files": 100, "reviews": 2}


@pytest.mark.parametrize("name", ROUNDS)
def test_a_drill_prints_one_line_of_figures(name: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", f"tests.tools.drills.{name}", "--rounds", str(ROUNDS[name]), "--seed", "3"],
        env=os.environ,
        cwd=Path(__file__).parents[3],
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    line = ran.stdout.splitlines()[-1]
    assert line.startswith(f"{name}: {ROUNDS[name]} rounds, seed 3, "), line


def test_a_broken_promise_fails_and_names_round_and_seed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def work(drill: Drill) -> str:
        for number in drill.rounds():
            assert number < 3, "lost"
        return "nothing lost"

    assert run("example", work, 2, ["--seed", "7"]) == 0
    assert capsys.readouterr().out == "example: 2 rounds, seed 7, 0:00 min: nothing lost\n"
    assert list(tmp_path.iterdir()) == []
    assert run("example", work, 5, []) == 1
    out, err = capsys.readouterr()
    assert out.startswith("example: BROKEN in round 3, seed 1; the files are in ")
    assert "AssertionError: lost" in err
