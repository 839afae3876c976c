"""Lists the files of chosen folders."""

import errno
import os
import stat
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from app.core.courses.placement import FoundFile
from app.core.documents.formats import COURSE_ENDINGS
from app.core.documents.readers import ReaderError
from app.core.documents.recordings import CAPTION_ENDINGS, is_own, is_recording, recording_stems
from app.domain.cancel import CancelToken
from app.domain.errors import UserError
from app.domain.file_paths import natural_path
from app.domain.messages import Message
from app.domain.words import folded


def is_reachable(folder: Path, *, was_mount: bool) -> bool:
    """Whether a folder can be listed, so that files missing from it were deleted.

    Disconnecting a drive or share whose root it was may leave an empty folder.
    """
    try:
        with os.scandir(folder) as entries:
            is_empty = next(entries, None) is None
    except OSError:
        return False
    return not (is_empty and was_mount and not os.path.ismount(folder))


def is_gone(path: Path) -> bool:
    """Whether a file certainly does not exist; False if it cannot be examined."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False


def has_readable_name(path: Path | str) -> bool:
    """Whether a path is valid text; some systems allow names of arbitrary bytes, which cannot be stored."""
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


_UNREADABLE_NAME = Message("ingest.unreadable_name")
_BEGIN = 4096  # bytes of a file without an extension that tell whether it is text
_NO_TEXT = {
    "picture": (".svg", ".heic", ".heif", ".avif", ".ico", ".eps"),
    "recording": (".avi", ".wmv", ".flv", ".wma"),
    "archive": (".zip", ".tar", ".gz", ".tgz", ".7z", ".rar", ".bz2", ".xz"),
    "data": (
        *(".json", ".yml", ".yaml", ".toml", ".xml", ".lock", ".ini", ".cfg", ".css", ".scss", ".db"),
        *(".npy", ".npz", ".pkl", ".parquet", ".h5", ".mat", ".rds", ".exe", ".dll", ".so", ".o", ".class"),
        *(".sqlite", ".jar", ".pyc", ".bin", ".dat", ".log", ".woff", ".woff2", ".ttf"),
    ),
}  # why files that are no text are not read
_LEFT_OUT_FOLDERS = frozenset({"node_modules", "__pycache__", "__macosx"})


def discover(
    paths: Sequence[Path], token: CancelToken | None = None, own: Collection[tuple[int, int]] = ()
) -> list[FoundFile]:
    """List the files below the chosen paths, each once, in natural order.

    Hidden files and folders are ignored; symbolic links are not followed out of the chosen folder.
    An individually chosen file may have any extension. A chosen path that is missing or cannot be
    listed is returned as failed, unless it is the only one; so is a subfolder that cannot be listed. The
    token is checked at every file, because a share can take minutes. Captions that Lectern wrote beside a
    recording are ignored as long as they have one of the sizes and times in ``own``.

    Raises:
        UserError: the only chosen path is missing or cannot be listed.
    """
    found: dict[Path, FoundFile] = {}
    token = token or CancelToken()
    for chosen in paths:
        path = Path(os.path.realpath(chosen))
        try:
            if not has_readable_name(path):
                raise OSError(errno.EILSEQ, str(_UNREADABLE_NAME))
            if path.is_dir():
                os.scandir(path).close()  # raises, where os.walk only reports a folder it cannot list
                unlisted: list[OSError] = []
                files = sorted(walk(path, token, unlisted), key=lambda file: natural_path(str(file)))
                files = [file for file in files if not is_own(file, own)]
                played = _played(files)
                for file in files:
                    token.check()
                    if not (is_recording(file) and (file.parent, folded(file.stem)) in played):
                        found.setdefault(file, _describe(file, path))
                for error in unlisted:
                    if not isinstance(error, FileNotFoundError):  # deleted meanwhile
                        folder, reason = Path(error.filename), error.strerror or error
                        failed = Message("ingest.folder_not_opened", reason=reason)
                        found[folder] = FoundFile(folder, 0, 0, failed=failed)
            else:
                found[path] = _stamp(path)
        except OSError as error:
            if len(paths) == 1:
                raise UserError(_unlistable(chosen, error)) from error
            found[path] = FoundFile(path, 0, 0, failed=_unlistable(chosen, error))
    return list(found.values())


def walk(root: Path, token: CancelToken, unlisted: list[OSError]) -> Iterator[Path]:
    """Yield the files below a folder, without following links to folders; keep what cannot be listed."""
    for folder, folders, files in os.walk(root, onerror=unlisted.append):
        token.check()
        folders[:] = [name for name in folders if not is_left_out(name)]
        yield from (Path(folder, name) for name in files if not is_left_out(name))


def is_left_out(name: str) -> bool:
    """Whether a file or folder of this name is ignored, with everything in it."""
    return name.startswith((".", "~$")) or name.lower() in _LEFT_OUT_FOLDERS


def is_course_file(name: str) -> bool:
    """Whether a file of this name has no extension, a supported one, or one users may expect to be."""
    suffix = os.path.splitext(name)[1].lower()
    if not suffix:
        return not name.isdecimal()  # Vim writes such files to try a folder
    return suffix in COURSE_ENDINGS or is_recording(name)


def _played(files: Sequence[Path]) -> set[tuple[Path, str]]:
    """Return folders and folded stems of the recordings that are played beside captions among the files."""
    captions = (file for file in files if file.suffix.lower() in CAPTION_ENDINGS)
    return {(file.parent, stem) for file in captions for stem in recording_stems(file.name)}


def _describe(path: Path, root: Path) -> FoundFile:
    suffix = path.suffix.lower()
    if suffix and suffix not in COURSE_ENDINGS and not is_recording(path):
        kind = next((kind for kind, endings in _NO_TEXT.items() if suffix in endings), "")
        reason = f"ingest.no_text_{kind}" if kind else "ingest.unsupported"
        return FoundFile(path, 0, 0, Message(reason, extension=suffix))
    try:
        if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(root):
            return FoundFile(path, 0, 0, Message("ingest.link_out"))
        if not suffix and path.is_file() and not _begins_as_text(path):
            return FoundFile(path, 0, 0, Message("ingest.no_extension"))
        return _stamp(path)
    except OSError as error:
        return FoundFile(path, 0, 0, failed=Message("ingest.cannot_open", reason=error.strerror or error))


def _begins_as_text(path: Path) -> bool:
    # Here: readers are not imported as long as nothing is added.
    from app.core.documents.readers.plain import decode

    with path.open("rb") as file:
        begin = file.read(_BEGIN)
    if begin.startswith(b"%PDF-"):
        return True
    with suppress(ReaderError):
        return bool(decode(begin).strip())
    return False


def _stamp(path: Path) -> FoundFile:
    if not has_readable_name(path):
        return FoundFile(path, 0, 0, failed=_UNREADABLE_NAME)
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        return FoundFile(path, 0, 0, Message("ingest.not_regular"))
    return FoundFile(path, status.st_size, status.st_mtime_ns)


def _unlistable(path: Path, error: OSError) -> Message:
    shown = str(path).encode("utf-8", "replace").decode("utf-8")
    if isinstance(error, FileNotFoundError):
        return Message("ingest.gone", path=shown)
    if error.errno == errno.EILSEQ:
        return Message("ingest.cannot_read_path", path=shown, reason=_UNREADABLE_NAME)
    return Message("ingest.cannot_open_path", path=shown, reason=error.strerror or error)
