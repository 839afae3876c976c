"""Damaged files cause no crash and no silently wrong answer, and a sentence says what is wrong.

``python -m tests.tools.drills.corruptions [--rounds N] [--seed S]``. Each round damages one file of the data
directory, the settings or the model's cache, then asks the commands that a person would use.
"""

from __future__ import annotations

import contextlib
import io
import json
import logging
import os
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.config.settings import Settings, save_settings
from app.core.embedding.model_files import find_model
from app.domain.scope import Scope
from app.main import main as lectern
from tests.support.courses import KeptEmbedder, ingest, library, write_courses
from tests.tools.drills.drill import ROOT, run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.tools.drills.drill import Drill

_MODEL_EVERY = 20  # rounds: a damaged model is exported again, which takes ten seconds
_ROTTEN = "data/library.sqlite3 flipped"
_LIMIT = 300  # seconds for the commands of one round
_PAGE = 4096
_QUESTION = "Which starter is ready to raise a loaf?"
ASKED = (("courses", "--json"), ("search", _QUESTION, "--json"), ("search", "oak galls", "--json"))
"""Commands whose answers are compared with those of the undamaged library."""

LOOKED = (*ASKED, ("doctor", "--json"))
REPAIRED = (("doctor", "--repair", "--json"), *ASKED, ("doctor", "--json"))
RESTORED = (("doctor", "--restore", "latest"), ("doctor", "--repair", "--json"), *REPAIRED[1:])


def corrupt(drill: Drill) -> str:
    """Damage, ask, repair, ask again."""
    whole = drill.place / "whole"
    _make(whole, drill.model_cache())
    expected = [_answer(ran) for ran in _run(whole, ASKED)]
    assert all(expected)
    outcomes: Counter[str] = Counter()
    for number in drill.rounds():
        damaged = drill.place / "damaged"
        model = number % _MODEL_EVERY == _MODEL_EVERY - 1
        what = _damaged_copy(drill, whole, damaged, model=model)
        drill.doing += f", {what}"
        outcomes[_examine(damaged, expected, may_be_unnoticed=what == _ROTTEN)] += 1
        shutil.rmtree(damaged)
    return ", ".join(f"{count} {what}" for what, count in outcomes.most_common())


def _examine(place: Path, expected: list[Any], *, may_be_unnoticed: bool) -> str:
    """Ask the commands of a person; return what came of it."""
    *asked, doctor = _run(place, LOOKED)
    said = _said(*asked, doctor)
    right = [_answer(ran) for ran in asked] == expected
    if may_be_unnoticed and not (right or said):
        return "with changed letters or vectors, which SQLite does not notice"
    assert right or said, "it answered wrongly and said nothing"
    repair, *asked, doctor = _run(place, REPAIRED)
    if [_answer(ran) for ran in asked] == expected and doctor["code"] == 0:
        if right:
            return "mended and said so" if said else "without effect, or mended unasked"
        return "repaired by doctor --repair"
    assert _said(repair, *asked, doctor), "it cannot be repaired, and nothing is said"
    return _restored(place, expected)


def _restored(place: Path, expected: list[Any]) -> str:
    """Restore the newest backup, as the report advises; return what came of it."""
    restored, _, *asked, doctor = _run(place, RESTORED)
    if [_answer(ran) for ran in asked] == expected and doctor["code"] == 0:
        return "restored from a backup"
    assert _said(restored, *asked, doctor), "it cannot be restored, and nothing is said"
    return "beyond repair, and said so"


def _said(*commands: dict[str, Any]) -> bool:
    """Whether any of them reported a problem, which must be a sentence."""
    said = False
    for ran in commands:
        if ran["code"]:
            sentences = "\n".join(item["what"] for item in _problems(ran)) or ran["err"].strip()
            assert sentences.endswith((".", "!", ")")), ran
            said = True
        said = said or bool(ran["err"].strip() or _problems(ran))
    return said


def _problems(ran: dict[str, Any]) -> list[dict[str, str]]:
    answer = _answer(ran)
    return answer.get("problems", []) if isinstance(answer, dict) else []


def _answer(ran: dict[str, Any]) -> Any:  # noqa: ANN401 - any JSON
    """Return what a command printed, without what may differ between equal answers."""
    if not ran["out"]:
        return None
    answer = json.loads(ran["out"])
    for hit in answer.get("hits", ()):
        hit.pop("score")
    return answer


def _make(whole: Path, cache: Path) -> None:
    """Make a library with a backup, settings and a cache with the model."""
    courses = write_courses(whole.parent / "courses")
    embedder = KeptEmbedder(None, cache)
    graph = find_model(None, cache).graph
    shutil.copytree(graph, whole / "cache" / graph.relative_to(cache))
    with library(whole / "data", embedder) as rag:
        ingest(rag, courses)
        conversation = rag.conversations.create_session()
        rag.conversations.begin_exchange(conversation, _QUESTION, Scope(), "claude")
    (read,) = _run(whole, [("ingest", str(courses))])  # a command also makes the day's backup
    assert read["code"] == 0, read
    save_settings(replace(Settings(), monthly_budget=7), whole / "config" / "settings.json")


def _damaged_copy(drill: Drill, whole: Path, damaged: Path, *, model: bool) -> str:
    """Copy everything with one file damaged; return which, and how."""
    files = sorted(path.relative_to(whole) for path in whole.rglob("*") if path.is_file())
    victims = [path for path in files if (path.parts[0] == "cache") == model]
    victim, how = drill.choose.choice(victims), drill.choose.choice(list(DAMAGES))
    # Rarely drawn among the many files of the search index, and the one that matters.
    if not model and drill.choose.random() < 0.4:
        victim = Path("data", "library.sqlite3")
    for path in files:
        target = damaged / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.parts[0] == "cache" and path != victim and how != "swapped":
            with contextlib.suppress(OSError):
                target.hardlink_to(whole / path)  # a model of 90 MB is not copied each time
                continue
        shutil.copy2(whole / path, target)
    DAMAGES[how](drill, damaged / victim, [damaged / path for path in victims])
    return f"{victim.as_posix()} {how}"


def _flip(drill: Drill, victim: Path, _: list[Path]) -> None:
    data = bytearray(victim.read_bytes())
    for _number in range(drill.choose.choice((1, 8, 64)) if data else 0):
        data[drill.choose.randrange(len(data))] ^= 1 << drill.choose.randrange(8)
    victim.write_bytes(data)


def _truncate(drill: Drill, victim: Path, _: list[Path]) -> None:
    os.truncate(victim, drill.choose.randrange(victim.stat().st_size or 1))


def _zero(drill: Drill, victim: Path, _: list[Path]) -> None:
    data = bytearray(victim.read_bytes())
    start = drill.choose.randrange(len(data) or 1) // _PAGE * _PAGE
    data[start : start + _PAGE] = bytes(len(data[start : start + _PAGE]))
    victim.write_bytes(data)


def _swap(drill: Drill, victim: Path, others: list[Path]) -> None:
    other = drill.choose.choice(others)
    first, second = victim.read_bytes(), other.read_bytes()
    victim.write_bytes(second)
    other.write_bytes(first)


def _delete(_drill: Drill, victim: Path, _: list[Path]) -> None:
    victim.unlink()


DAMAGES = {"flipped": _flip, "truncated": _truncate, "zeroed": _zero, "swapped": _swap, "deleted": _delete}


def _run(place: Path, commands: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
    """Run commands one after the other in one process of their own; return code, out and err of each."""
    environment = {"LECTERN_CONFIG_DIR": place / "config", "LECTERN_CACHE_DIR": place / "cache"}
    ran = subprocess.run(
        [sys.executable, "-m", "tests.tools.drills.corruptions", "run", str(place / "data")],
        env={**os.environ, **{name: str(path) for name, path in environment.items()}},
        input=json.dumps(commands),
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=_LIMIT,
        check=False,
    )
    assert ran.returncode == 0, (ran.returncode, ran.stderr)
    results: list[dict[str, Any]] = json.loads(ran.stdout)
    for command, result in zip(commands, results, strict=True):
        assert "Traceback" not in result["err"], (command, result["err"])
        assert result["code"] in (0, 1, 3), (command, result)
    return results


def _run_here(data_dir: str) -> None:
    results = []
    for command in json.load(sys.stdin):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = lectern(["--data-dir", data_dir, *command])
        results.append({"code": code, "out": out.getvalue(), "err": err.getvalue()})
        logging.shutdown()
    json.dump(results, sys.stdout)


def main(arguments: Sequence[str] | None = None) -> int:
    return run("corruptions", corrupt, 100, arguments)


if __name__ == "__main__":
    if sys.argv[1:2] == ["run"]:
        _run_here(sys.argv[2])
    else:
        sys.exit(main())
