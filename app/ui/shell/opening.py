"""Opens links and files that come from answers and libraries, after a check."""

import sys
from functools import partial

from PySide6.QtCore import QCoreApplication, QDir, QFileInfo, QProcess, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from app.ui.widgets import show_dialogs as show
from app.ui.widgets.desktop import is_web_link, open_link
from app.workers.ingest_operations import can_be_opened

_LONGEST_SHOWN = 600
_BREAK = 40  # characters after which a long address may wrap
tr = partial(QCoreApplication.translate, "Opening")


def open_answer_link(window: QWidget, address: str) -> None:
    """Open a web address after showing where it leads: a model or a file wrote it."""
    if not is_web_link(address):
        return
    url, encoded = QUrl(address.strip()), QUrl.ComponentFormattingOption.FullyEncoded
    # The host is named on its own, since it is easily missed in a long address. International hosts are
    # shown in Punycode, so that look-alike letters show.
    shown = url.toString(encoded)
    if len(shown) > _LONGEST_SHOWN:
        shown = f"{shown[:_LONGEST_SHOWN]}…"
    lines = "\u200b".join(shown[at : at + _BREAK] for at in range(0, len(shown), _BREAK))
    text = tr("This link opens {host} in your browser:").format(host=url.host(encoded))
    if show.confirm(window, tr("Open this link?"), f"{text}\n\n{lines}", tr("Open")):
        open_link(address)


def open_course_file(window: QWidget, path: str) -> None:
    """Open a course file; paths may come from someone else's library, so nothing else is opened."""
    if not can_be_opened(path):
        text = tr("Lectern leaves {path} closed: your computer might run it. Open it in an editor.")
    elif not QDesktopServices.openUrl(QUrl.fromLocalFile(path)):
        text = tr("Nothing could open {path}. Check that the file exists.")
    else:
        return
    show.show_error(window, tr("Can't open the file"), text.format(path=path))


def show_in_folder(window: QWidget, path: str) -> None:
    """Show a course file in the file manager of the desktop."""
    if not QFileInfo.exists(path):
        text = tr("The file no longer exists: {0}").format(path)
        show.show_error(window, tr("Can't show the file"), text)
    elif sys.platform == "darwin":  # a folder may be a program there, which opening it would start
        QProcess.startDetached("/usr/bin/open", ["-R", path])
    elif sys.platform == "win32":
        QProcess.startDetached("explorer.exe", ["/select,", QDir.toNativeSeparators(path)])
    else:
        QDesktopServices.openUrl(QUrl.fromLocalFile(QFileInfo(path).path()))
