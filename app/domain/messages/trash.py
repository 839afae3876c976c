"""Messages about removed documents."""

TEXTS = {
    "trash.empty": "The trash is empty.",
    "trash.file_is_back": (
        "{name} has been added to the library again. Remove it first to restore the earlier version."
    ),
    "trash.place_taken": (
        "{name} cannot be restored: {other} now holds the same lessons of “{title}”. Remove that file first."
    ),
}
