"""Sentences of the workers."""

TEXTS = {
    "workers.chat_deleted": "This chat was deleted.",
    "workers.waiting": "Waiting for another Lectern to close…",
    "workers.building_index": "Building the search index… {percent}%",
    "workers.not_opened": ("A bug in Lectern kept the library from opening. The log file has the details."),
}
