"""Messages about the connection to a Chroma server."""

TEXTS = {
    "server.away": "{server} cannot be reached. Check your connection and the server's address.",
    "server.busy": "{server} has too much to do at the moment. Try again later.",
    "server.ca_unusable": "The certificates in {file} cannot be read. Choose a file in PEM format.",
    "server.certificate": (
        "The certificate of {server} is not trusted ({reason}). If whoever runs the server gave you a file "
        "of certificates, choose it."
    ),
    "server.closed": "The connection to {server} was closed.",
    "server.ended": "The process that connects to {server} came to an end. Try again.",
    "server.failing": "{server} failed (error {status}). Try again later.",
    "server.forbidden": "{server} does not allow this. Ask whoever runs the server for the right to do it.",
    "server.no_access": "{server} wants a token. Enter the one that whoever runs the server gave you.",
    "server.no_database": (
        "{server} has no database “{database}” of the tenant “{tenant}”. Check both names."
    ),
    "server.no_library": (
        "The database “{database}” on {server} holds no library of Lectern. Check the server's address and "
        "the name of the database."
    ),
    "server.no_tls": (
        "No secure connection to {server} can be made ({reason}). Check the port; the address of a server in "
        "your own network may begin with http://."
    ),
    "server.not_chroma": (
        "{server} does not answer as a Chroma server does. Check the address; a login page of your network "
        "may stand in between, or the server's version of Chroma is older than 1.0."
    ),
    "server.not_ours": (
        "The database “{database}” on {server} already has a collection {collection} that is no library of "
        "Lectern. Choose another database; nothing was changed."
    ),
    "server.other_dimension": (
        "The library in the database “{database}” on {server} was made with another embedding model: its "
        "vectors have {theirs} numbers, those of this library have {ours}. Nothing was changed."
    ),
    "server.redirects": (
        "{server} refers to another address, {target}. Lectern does not go there, because the token would "
        "go along. Enter that address if you trust it."
    ),
    "server.rejected": "{server} rejects the request: {reason}",
    "server.slow": "{server} did not answer in time. Try again later.",
    "server.token_rejected": "{server} does not accept the token. Ask whoever runs the server for a new one.",
    "server.too_large": (
        "A passage is larger than {server} accepts. Ask whoever runs the server to allow larger requests."
    ),
    "server.too_much": "{server} sends more than a library of Lectern holds.",
    "server.unexpected": (
        "No request to {server} can be made ({reason}). Check the settings of your network's proxy."
    ),
    "server.unusable_answer": "An answer from {server} could not be used. The log file says why.",
    "server.unusable_token": "The token has characters that no token has. Copy it once more.",
}
