"""What the window shares with the desktop: links and files it opens, folders, the clipboard."""

import os
import re
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from PySide6.QtCore import QCoreApplication, QDir, QFileInfo, QMimeData, QProcess, QStandardPaths, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QStandardItemModel
from PySide6.QtWidgets import QFileDialog, QWidget

from app.ui.widgets import show_dialogs as show
from app.workers.workers import can_be_opened

_LONGEST_SHOWN = 600
_NOT_IN_A_NAME = re.compile(r'[\\/:*?"<>|\x00-\x1f]+')
_LONGEST_NAME = 60
_OTHER_SUFFIXES = {".htm": ".html", ".markdown": ".md"}
_BREAK = 40  # characters after which a long address may wrap
tr = partial(QCoreApplication.translate, "Opening")


def is_web_link(link: str | None) -> bool:
    """Return whether ``link`` is an http(s) address with a host; nothing else is ever opened.

    Links come from course files and answers, so ``file:``, ``javascript:`` and the like do nothing.
    """
    if not link:
        return False
    try:
        parts = urlsplit(link.strip())
    except ValueError:
        return False
    return parts.scheme.lower() in ("http", "https") and bool(parts.hostname)


def open_link(link: str) -> bool:
    return is_web_link(link) and QDesktopServices.openUrl(QUrl(link.strip()))


def ask_for_files(
    parent: QWidget, title: str, folder: str, kinds: str, then: Callable[[list[Path]], object]
) -> None:
    """Let the user choose files to read, of kinds separated by ``;;``; ``then`` takes them."""
    _file_dialog(parent, title, folder, then, QFileDialog.FileMode.ExistingFiles, kinds).open()


def ask_for_file(
    parent: QWidget, title: str, folder: str, kinds: str, then: Callable[[Path], object]
) -> None:
    mode = QFileDialog.FileMode.ExistingFile
    _file_dialog(parent, title, folder, lambda paths: then(paths[0]), mode, kinds).open()


def ask_for_folder(parent: QWidget, title: str, folder: str, then: Callable[[Path], object]) -> None:
    mode = QFileDialog.FileMode.Directory
    dialog = _file_dialog(parent, title, folder, lambda paths: then(paths[0]), mode, "")
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.open()


def ask_for_new_file(
    parent: QWidget,
    title: str,
    folder: str,
    name: str,
    kinds: Mapping[str, str],
    then: Callable[[Path], object],
) -> None:
    """Let the user choose a file to write; ``then`` takes its path.

    ``kinds`` maps what the dialog shows to suffixes; other suffixes are kept as part of the name.
    """
    first = next(iter(kinds.values()))

    def take(paths: list[Path]) -> None:
        path, suffix = paths[0], paths[0].suffix.lower()
        is_known = _OTHER_SUFFIXES.get(suffix, suffix) in kinds.values()
        then(path if is_known else path.with_name(path.name + kinds.get(dialog.selectedNameFilter(), first)))

    dialog = _file_dialog(parent, title, folder, take, QFileDialog.FileMode.AnyFile, ";;".join(kinds))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    stem = _NOT_IN_A_NAME.sub(" ", name)[:_LONGEST_NAME].strip(" .") or "Lectern"
    dialog.selectFile(f"{stem}{first}")
    dialog.open()


def _file_dialog(
    parent: QWidget,
    title: str,
    folder: str,
    then: Callable[[list[Path]], object],
    mode: QFileDialog.FileMode,
    kinds: str,
) -> QFileDialog:
    dialog = QFileDialog(parent, title, start_folder(folder), kinds)
    dialog.setFileMode(mode)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.filesSelected.connect(lambda paths: then([Path(path) for path in paths]))
    return dialog


def start_folder(last: str = "") -> str:
    """Return the folder ``last``, the user's documents or the home folder: the first that exists.

    For one that does not exist, Qt shows the folder that the program was started in.
    """
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    found = (folder for folder in (last, documents) if folder and QDir(folder).exists())
    return next(found, QDir.homePath())


def new_mime_data() -> QMimeData:
    """Return empty data for the clipboard.

    The clipboard keeps its data until after Python is gone. Data made by calling ``QMimeData`` calls back
    into Python then and crashes the program; data that Qt made itself does not.
    """
    model = QStandardItemModel(1, 1)
    data = model.mimeData([model.index(0, 0)])
    for kind in data.formats():
        data.removeFormat(kind)
    return data


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
    if can_be_opened(path):
        open_path(window, path)
    else:
        text = tr("Lectern leaves {path} closed: your computer might run it. Open it in an editor.")
        show.show_error(window, tr("Can't open the file"), text.format(path=path))


def open_path(window: QWidget, path: str) -> None:
    """Open a folder or a file that nobody else wrote, or say that nothing could."""
    if not QDesktopServices.openUrl(QUrl.fromLocalFile(path)):
        text = tr("Nothing could open {path}. Check that the file exists.")
        show.show_error(window, tr("Can't open the file"), text.format(path=path))


def show_in_folder(window: QWidget, path: str) -> None:
    """Show a course file in the file manager of the desktop, or say that it no longer exists."""
    if not QFileInfo.exists(path):
        text = tr("The file no longer exists: {0}").format(path)
        show.show_error(window, tr("Can't show the file"), text)
    elif sys.platform == "darwin":  # a folder may be a program there, which opening it would start
        QProcess.startDetached("/usr/bin/open", ["-R", path])
    elif sys.platform == "win32":
        QProcess.startDetached("explorer.exe", ["/select,", QDir.toNativeSeparators(path)])
    else:
        open_path(window, os.path.dirname(path))
