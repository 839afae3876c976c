"""What the sidebar and the menus ask for that concerns courses and the library."""

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMainWindow

from app.ui.library.ingest_controller import IngestController
from app.ui.library.library_controller import LibraryController
from app.ui.library.sidebar import CourseSidebar
from app.ui.shell.actions import Actions
from app.ui.shell.opening import show_in_folder
from app.ui.widgets.desktop import open_link
from app.ui.widgets.pane_keys import PaneKey

_MESSAGE_MS = 8_000


def manage_courses(
    sidebar: CourseSidebar, ingest: IngestController, library: LibraryController, window: QMainWindow
) -> None:
    """Connect the sidebar with the controllers that add, rename and remove courses."""
    sidebar.add_folder_requested.connect(ingest.choose_folder)
    sidebar.add_files_requested.connect(ingest.choose_files)
    sidebar.files_requested.connect(library.open_files)
    sidebar.rename_course_requested.connect(library.rename_course)
    library.course_renamed.connect(sidebar.follow_rename)
    sidebar.remove_course_requested.connect(library.remove_course)
    sidebar.remove_files_requested.connect(library.remove_lesson)
    sidebar.remove_samples_requested.connect(library.remove_samples)
    PaneKey(sidebar, QKeySequence.StandardKey.Undo, library.take_back)
    sidebar.folder_requested.connect(lambda path: show_in_folder(window, path))
    sidebar.link_activated.connect(open_link)
    ingest.said.connect(lambda sentence: window.statusBar().showMessage(sentence, _MESSAGE_MS))


def connect_library(actions: Actions, ingest: IngestController, library: LibraryController) -> None:
    """Connect the menus' commands for courses and the library."""
    actions.add_folder.triggered.connect(ingest.choose_folder)
    actions.add_files.triggered.connect(ingest.choose_files)
    actions.files.triggered.connect(lambda: library.open_files())
    actions.failures.triggered.connect(ingest.list_failures)
    ingest.failures_counted.connect(actions.show_failures)
    actions.remove_all.triggered.connect(library.remove_everything)
