"""Every regular expression of the program takes linear time, whatever text it is given."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import app
from tests.support.hostile_text import slow_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]

_USES = ("match", "fullmatch", "search", "findall")
_ALIKE = dict.fromkeys(("finditer", "split", "sub", "subn"), "findall")


# Patterns whose time may grow faster than the text, since the text is short.
LONGEST = {
    ("app.core.answers.citations", "_UNDECIDED"): 200,  # the end of what has arrived of an answer
    ("app.core.answers.costs", "_DECORATED"): 100,  # a model's name
}


def test_every_pattern_takes_linear_time() -> None:
    every = patterns()
    longest = {eval(name, vars(sys.modules[module])): number for (module, name), number in LONGEST.items()}
    slow = [
        f"{', '.join(sorted(modules))}: {pattern.pattern!r}{found}"
        for pattern, (modules, uses) in every.items()
        for use in sorted(uses or {"match", "findall"})  # the name it is called by may be a local one
        if (found := slow_text(pattern, use, longest.get(pattern)))
    ]
    assert not slow, "\n".join(slow)


@pytest.mark.parametrize(
    ("use", "pattern"),
    [
        ("match", r"(a+)+$"),
        ("match", r"(?:a|aa)+$"),
        ("match", r"(?s)\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html[\s>])"),
        ("search", r"<v(?:\.[^\s<>]{0,40})*[ \t]+([^<>\n]{1,80})>"),
        ("match", r"\s*-?\s*x"),
        ("search", r"\s+$"),
        ("findall", r"\[[^\]]*\]"),
        ("fullmatch", r"<[\w.]+[^\n]*>"),
        ("search", rb"charset\s*=\s*[\"']?\s*\w"),
    ],
)
def test_a_slow_pattern_is_found(use: str, pattern: str | bytes) -> None:
    assert slow_text(re.compile(pattern), use)


@pytest.mark.parametrize(
    ("use", "pattern"),
    [("match", r"(?:a++)+$"), ("match", r"\s+$"), ("search", r"(?<!\s)\s+$"), ("findall", r"\[[^\[\]]*\]")],
)
def test_a_linear_pattern_passes(use: str, pattern: str) -> None:
    assert slow_text(re.compile(pattern), use) is None


def patterns() -> dict[re.Pattern[Any], tuple[set[str], set[str]]]:
    """Return every pattern of the sources with the modules it is used in and the methods it is called by."""
    found: dict[re.Pattern[Any], tuple[set[str], set[str]]] = {}
    for info in pkgutil.walk_packages(app.__path__, "app."):
        if info.name.endswith("__main__"):
            continue
        module = importlib.import_module(info.name)
        for pattern, use in _patterns_of(module):
            modules, uses = found.setdefault(pattern, (set(), set()))
            modules.add(info.name)
            if use != "compile":
                uses.add(_ALIKE.get(use, use))
    return found


def _patterns_of(module: ModuleType) -> Iterator[tuple[re.Pattern[Any], str]]:
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        use = node.func.attr
        if isinstance(node.func.value, ast.Name) and node.func.value.id == "re":
            if use in ("compile", *_USES, *_ALIKE):
                flags = [word.value for word in node.keywords if word.arg == "flags"]
                flags += node.args[1:2] if use == "compile" else []
                yield re.compile(*(_value(part, module) for part in (node.args[0], *flags))), use
        elif use in (*_USES, *_ALIKE):
            try:
                value = _value(node.func.value, module)
            except NameError:  # a local variable
                continue
            if isinstance(value, re.Pattern):
                yield value, use


def _value(node: ast.expr, module: ModuleType) -> Any:  # noqa: ANN401
    return eval(compile(ast.Expression(node), "", "eval"), vars(module))
