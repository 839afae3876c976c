"""The file types that the window offers to add and to open."""


def course_file_endings() -> tuple[str, ...]:
    """Return the endings of all readable files, such as ``".txt"``."""
    # Here: the registry imports all readers, and the first picture of the window would wait for them.
    from app.core.documents.formats import FORMATS

    return tuple(ending for one in FORMATS for ending in one.endings)
