"""What import-linter, in ``make check``, does not look at: circles, and what is imported when."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("app", include_external_packages=True, cache_dir=None)


def test_no_imports_go_round_in_circles(graph: grimp.ImportGraph) -> None:
    modules = graph.modules
    imported = {module: graph.find_modules_directly_imported_by(module) - {module} for module in modules}
    TopologicalSorter(imported).prepare()


def test_names_of_public_classes_are_unique() -> None:
    texts = (path.read_text("utf-8") for path in (ROOT / "app").rglob("*.py"))
    counts = Counter(name for text in texts for name in re.findall(r"^class ([A-Z]\w+)", text, re.MULTILINE))
    assert [name for name, times in counts.items() if times > 1] == []


def test_the_window_is_painted_before_any_of_the_core_is_imported() -> None:
    code = (
        "import sys, app.main, app.ui.shell.main_window; print([m for m in sys.modules if 'app.core' in m])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_library_opens_without_what_only_children_servers_and_answers_need(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from app.main import FEATURES\n"
        "from app.config.settings import Settings; from app.core.embedding.embedder import Embedder\n"
        "from app.core.rag_system import RAGSystem; from app.domain.embedding_models import model_choice\n"
        "services = [feature.add_services for feature in FEATURES]\n"
        "here = Path(sys.argv[1]); embedder = Embedder(model_choice(''), here)\n"
        "rag = RAGSystem(here, Settings(), embedder, services); rag.open(); rag.close()\n"
        "print(*sys.modules)"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    needless = (
        "app.core.answers",
        "app.core.documents.readers.",
        "app.core.documents.document_reader",
        "app.core.ocr.recognizer",
    )
    heavy = {
        "anthropic",
        "chromadb",
        "fasttext",
        "fsrs",
        "lxml",
        "openvino",
        "PIL",
        "pypdfium2",
        "urllib.request",
        "xml",
    }
    assert [one for one in done.stdout.split() if one.startswith(needless) or one in heavy] == []
