"""Messages that no single room owns."""

TEXTS = {
    "common.library_read_only": "This library was opened for reading only.",
}
