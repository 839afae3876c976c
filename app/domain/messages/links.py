"""Messages about links to places of the library."""

TEXTS = {
    "links.not_a_link": "This is not a link that Lectern can open.",
    "links.not_here": "What this link leads to is not in your library.",
    "links.not_here_in_course": (
        "What this link leads to is not in your library. It is from the course “{course}”."
    ),
}
