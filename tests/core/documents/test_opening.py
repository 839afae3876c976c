from __future__ import annotations

import errno

import pytest

from app.core.documents.opening import why_not_opened


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (FileNotFoundError(errno.ENOENT, "No such file"), "a.txt no longer exists."),
        (NotADirectoryError(), "a.txt no longer exists: a folder on its path is gone."),
        (PermissionError(), "a.txt cannot be opened: you do not have permission to read it."),
        (IsADirectoryError(), "a.txt is a folder, not a file."),
        (OSError(errno.ELOOP, "Loop"), "a.txt is a link that leads back to itself."),
        (
            OSError(errno.ENAMETOOLONG, "Long"),
            "a.txt cannot be opened because its name is too long. Rename it.",
        ),
        (OSError(errno.EIO, "Input/output error"), "a.txt cannot be read: input/output error."),
        (OSError(), "a.txt cannot be read: unknown error."),
    ],
)
def test_what_the_system_says_in_a_sentence(error: OSError, sentence: str) -> None:
    assert str(why_not_opened(error, "a.txt")) == sentence
