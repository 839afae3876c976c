"""One reader per format, grouped by family."""


class ReaderError(Exception):
    """A file cannot become text; a message's id, and its arguments besides name and format, say why."""

    def __init__(self, reason: str = "documents.damaged", **arguments: object) -> None:
        super().__init__(reason)
        self.reason = reason
        self.arguments = arguments
