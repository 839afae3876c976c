"""Pictures of the window's real states: ``python -m tests.tools.screenshots [FOLDER] [LOOK…] [--only
STATES]``.

Not a test: it drives the real window with the real library and a model server on loopback, and saves what
a student would see, in each look a sheet of all states and the window in each of its sizes.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import traceback
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from app.ui.widgets.messages import install_translations
from tests.support.running_window import isolate_from_user
from tests.tools.screenshots.answers import answer_states, fault_states
from tests.tools.screenshots.chat import chat_states, hint_states
from tests.tools.screenshots.dialogs import dialog_states
from tests.tools.screenshots.first_start import first_start_states
from tests.tools.screenshots.library import keeping_states
from tests.tools.screenshots.models import embedding_model_states
from tests.tools.screenshots.pictures import LOOKS, Pictures
from tests.tools.screenshots.reading import figure_states, reading_states, scope_states
from tests.tools.screenshots.recordings import hearing_states, recording_states
from tests.tools.screenshots.reviews import practice_states, review_states
from tests.tools.screenshots.shared import shared_states
from tests.tools.screenshots.study import exam_states, export_states, stale_states, study_states
from tests.tools.screenshots.support import support_states
from tests.tools.screenshots.teaching import teaching_states
from tests.tools.screenshots.ways import way_states

STATES = (
    first_start_states,
    way_states,
    answer_states,
    fault_states,
    reading_states,
    scope_states,
    support_states,
    teaching_states,
    chat_states,
    hint_states,
    keeping_states,
    figure_states,
    recording_states,
    hearing_states,
    review_states,
    practice_states,
    embedding_model_states,
    study_states,
    exam_states,
    export_states,
    stale_states,
    shared_states,
    dialog_states,
)


def main() -> int:
    """Take the pictures; states that cannot be reached are said at the end, with status 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.screenshots")
    parser.add_argument("folder", nargs="?", type=Path, default=Path("build/screenshots"))
    parser.add_argument("looks", nargs="*", metavar="LOOK", help=", ".join(look.name for look in LOOKS))
    parser.add_argument("--only", default="", help="a part of the name of what is taken, such as chat")
    arguments = parser.parse_args()
    application = QApplication(sys.argv[:1])
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        isolate_from_user(Path(folder))
        for look in LOOKS:
            if arguments.looks and look.name not in arguments.looks:
                continue
            install_translations(application, look.language)
            pictures = Pictures(arguments.folder, look)
            for states in STATES:
                if arguments.only in states.__name__:
                    try:
                        states(pictures)
                    except Exception:  # the others are worth having
                        failed.append(f"{look.name}: {states.__name__}\n{traceback.format_exc()}")
            sheet = pictures.save_sheet()
            sys.stdout.write(f"{len(pictures.taken)} states, all of them on {sheet}\n")
    sys.stdout.write("\n".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
