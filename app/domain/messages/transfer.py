"""Messages about exporting and importing a library."""

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
}
