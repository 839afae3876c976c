from __future__ import annotations

import os
import subprocess
import sys

PROGRAM = """
from PySide6.QtWidgets import QApplication
from app.ui.widgets.desktop import new_mime_data
app = QApplication([])
data = new_mime_data()
assert not data.formats()
data.setText("words")
data.setHtml("<b>words</b>")
app.clipboard().setMimeData(data)
assert app.clipboard().text() == "words"
"""


def test_program_ends_cleanly_with_its_data_on_the_clipboard() -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
