"""Updates the window's translations: ``python -m resources.packaging.translations [LANGUAGE]``.

Collects every text of the window and every message of the core, updates ``resources/i18n/lectern_*.ts``
with Qt's lupdate, and compiles those that are complete to ``.qm`` with lrelease; the window offers every
language that has one. LANGUAGE, such as ``de``, starts a new catalogue, or compiles an unfinished one to
look at it. The English catalogue contains only plurals: ``%Ln file(s)`` becomes ``%Ln file`` and
``%Ln files`` automatically; other forms, such as ``%Ln match(es)``, are filled in by hand.
"""

from __future__ import annotations

import ast
import importlib
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import PySide6

import app.main  # noqa: F401 - features add their messages
from app.domain.messages import TEXTS, Plural

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

ROOT = Path(__file__).resolve().parents[2]
CATALOGUES = ROOT / "resources" / "i18n"
_MESSAGES = "messages"
# Keys, for languages whose keyboards call them otherwise than Qt's own catalogue does.
_KEYS = ("Ctrl", "Shift", "Del", "Ins", "Return", "Enter", "PgUp", "PgDown", "Home", "End")
# Texts of Qt itself that address the user formally in its own German or Spanish catalogue.
_INFORMAL = {
    "QKeySequenceEdit": ("Press shortcut",),
    "QFileDialog": (
        "%1 already exists.\nDo you want to replace it?",
        "%1\nFile not found.\nPlease verify the correct file name was given.",
        "%1\nDirectory not found.\nPlease verify the correct directory name was given.",
        "'%1' is write protected.\nDo you want to delete it anyway?",
        "Are you sure you want to delete '%1'?",
    ),
}
_TOOLS = Path(PySide6.__file__).parent


class Text(NamedTuple):
    """A text to translate.

    Its context is the class, the first argument of ``translate``, or "Context" in a module with
    ``tr = partial(QCoreApplication.translate, "Context")``.
    """

    context: str
    source: str
    is_plural: bool


def window_texts(path: Path) -> Iterator[Text]:
    """Yield the literal texts that a module passes to ``tr`` and ``translate``."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    scopes: list[tuple[str, ast.AST]] = [(_module_context(tree), tree)]
    while scopes:
        context, scope = scopes.pop()
        for node in ast.iter_child_nodes(scope):
            scopes.append((node.name if isinstance(node, ast.ClassDef) else context, node))
            if not isinstance(node, ast.Call):
                continue
            has_n = any(keyword.arg == "n" for keyword in node.keywords)
            match _name(node.func), node.args:
                case "tr", [ast.Constant(str(source)), *more]:
                    yield Text(context, source, has_n or len(more) > 1)
                case "translate", [ast.Constant(str(name)), ast.Constant(str(source)), *more]:
                    yield Text(name, source, has_n or len(more) > 1)


def _module_context(tree: ast.Module) -> str:
    for node in tree.body:
        match node:
            case ast.Assign([ast.Name("tr")], ast.Call(args=[_, ast.Constant(str(context))])):
                return context
    return ""


def message_texts() -> Iterator[Text]:
    """Yield the messages of the core and of all features."""
    for package in (ROOT / "app" / "features").glob("*/__init__.py"):
        importlib.import_module(f"app.features.{package.parent.name}")  # adds its messages
    for text in TEXTS.values():
        if isinstance(text, Plural):
            yield Text(_MESSAGES, text.other, is_plural=True)
        else:
            yield Text(_MESSAGES, text, is_plural=False)


def all_texts() -> set[Text]:
    """Return everything to translate."""
    modules = [
        module for room in ("ui", "workers", "features") for module in (ROOT / "app" / room).rglob("*.py")
    ]
    keys = [Text("QShortcut", key, is_plural=False) for key in _KEYS]
    qts = [Text(name, one, is_plural=False) for name, texts in _INFORMAL.items() for one in texts]
    return {*message_texts(), *keys, *qts, *(text for module in modules for text in window_texts(module))}


def update(language: str, texts: Iterable[Text]) -> Path:
    """Update a language's catalogue, drop obsolete texts, and return its path."""
    catalogue = CATALOGUES / f"lectern_{language}.ts"
    options = ["-no-obsolete", "-locations", "none", "-source-language", "en", "-target-language", language]
    if language == "en":  # messages contain both English forms
        options.append("-pluralonly")
        texts = [text for text in texts if text.context != _MESSAGES]
    with tempfile.TemporaryDirectory() as folder:
        module = Path(folder) / "texts.py"
        module.write_text("".join(map(_as_call, sorted(texts))), encoding="utf-8")
        _run("lupdate", *options, str(module), "-ts", str(catalogue))
    if language == "en":
        _fill_in_regular_plurals(catalogue)
    return catalogue


def compile_catalogue(catalogue: Path, compiled: Path) -> None:
    """Compile a catalogue to the file that the window loads (``.qm``)."""
    _run("lrelease", "-silent", str(catalogue), "-qm", str(compiled))


def unfinished(catalogue: Path) -> list[str]:
    """Return the texts of a catalogue that are yet to be translated."""
    messages = ET.parse(catalogue).iter("message")
    return [
        one.findtext("source", "")
        for one in messages
        if one.find("translation[@type='unfinished']") is not None
    ]


def main(wanted: Collection[str]) -> None:
    """Update all catalogues and those of the ``wanted`` languages; compile these and what is complete."""
    languages = {path.stem.removeprefix("lectern_") for path in CATALOGUES.glob("*.ts")} | {"en"}
    for language in sorted(languages.union(wanted)):
        catalogue = update(language, all_texts())
        compiled, missing = catalogue.with_suffix(".qm"), len(unfinished(catalogue))
        if missing and language not in wanted:
            compiled.unlink(missing_ok=True)
        else:
            compile_catalogue(catalogue, compiled)
        sys.stdout.write(f"{catalogue.name}: {missing} unfinished\n")


def _name(function: ast.expr) -> str:
    match function:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def _as_call(text: Text) -> str:
    """Return a class with one call for lupdate, which merges classes of the same name."""
    arguments = f"{text.source!r}, None, n" if text.is_plural else repr(text.source)
    return f"class {text.context}:\n    def text(self, n):\n        self.tr({arguments})\n"


def _fill_in_regular_plurals(catalogue: Path) -> None:
    tree = ET.parse(catalogue)
    for message in tree.iter("message"):
        source, translation = message.findtext("source", ""), message.find("translation")
        is_regular = "(" not in source.replace("(s)", "")
        if is_regular and translation is not None and translation.get("type") == "unfinished":
            del translation.attrib["type"]
            for form, ending in zip(translation.iter("numerusform"), ("", "s"), strict=True):
                form.text = source.replace("(s)", ending)
    ET.indent(tree, "    ")
    tree.write(catalogue, encoding="utf-8", xml_declaration=True)


def _run(tool: str, *arguments: str) -> None:
    program = _TOOLS / (f"{tool}.exe" if os.name == "nt" else tool)
    subprocess.run([str(program), *arguments], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main(sys.argv[1:])
