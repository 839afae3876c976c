"""Messages about libraries on Chroma servers, and the connection to them."""

from app.domain.messages.plural import Plural

TEXTS: dict[str, str | Plural] = {
    "shared.no_address": (
        "This is not the address of a server. Give its scheme, name and port, such as "
        "https://chroma.example.org:8000."
    ),
    "shared.token_in_address": (
        "The address of a server must not contain a user name, a password or a token. "
        "Give the token separately; it is kept in the system's keychain."
    ),
    "shared.course_gone": "This course is no longer on the server {server}.",
    "shared.not_whole": "A part of this course is missing on {server}. Try again in a few minutes.",
    "shared.too_long": "This course is too long to be read at once. Read it lesson by lesson.",
    "shared.left_out": Plural(
        "{n} course cannot be shown: it is damaged on the server, or of another version of Lectern. "
        "Its publisher can send it again.",
        "{n} courses cannot be shown: they are damaged on the server, or of another version of Lectern. "
        "Their publisher can send them again.",
    ),
    "shared.not_encrypted": (
        "What goes to {server} by http:// can be read on the way, the token included. Begin the address with "
        "https://; http:// is only for this computer and your own network."
    ),
    "shared.not_subscribed": "There is no subscription to database “{database}” on {server}.",
    "shared.not_stored": "The subscription cannot be stored in {path}: {reason}.",
    "shared.no_name": "“{name}” is not the name of a tenant or database.",
    "shared.not_a_library": (
        "The database on the server holds no library of Lectern. Check the server's address and the name of "
        "the database."
    ),
    "shared.other_model": (
        "The library on the server was made with the embedding model {theirs}, but this one uses {ours}. "
        "Choose the same model in the settings."
    ),
    "shared.other_schema": (
        "The library on the server was published by another version of Lectern. Install the same version."
    ),
    "shared.index_first": (
        "The library is not yet indexed with the search model in use. Let that finish, then publish."
    ),
    "shared.library_changes": (
        "“{title}” was changed while it was being published. Publish it again once its files have been read."
    ),
    "shared.not_one_published": ("“{name}” does not name one course on the server. It holds: {titles}."),
    "shared.nothing_to_publish": (
        "The library has no course to publish. Sample courses are only published by name."
    ),
    "shared.of_another_library": (
        "“{title}” on the server was published from another library, and was left as it is."
    ),
    "shared.other_database": "{reason} Or publish to another database.",
    "shared.publisher_unknown": "Publishing needs {path}, which cannot be used: {reason}.",
    "shared.publishing_already": "This library is being published already. Wait until that has ended.",
    "server.away": "{server} cannot be reached. Check your connection and the server's address.",
    "server.busy": "{server} has too much to do at the moment. Try again later.",
    "server.ca_unusable": "The certificates in {file} cannot be read. Choose a file in PEM format.",
    "server.certificate": (
        "The certificate of {server} is not trusted ({reason}). If whoever runs the server gave you a file "
        "of certificates, choose it."
    ),
    "server.closed": "The connection to {server} was closed.",
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
    "server.redirects": (
        "{server} refers to another address, {target}. Lectern does not go there, because the token would "
        "go along. Enter that address if you trust it."
    ),
    "server.rejected": "{server} rejects the request: {reason}",
    "server.token_rejected": "{server} does not accept the token. Ask whoever runs the server for a new one.",
    "server.too_large": (
        "A passage is larger than {server} accepts. Ask whoever runs the server to allow larger requests."
    ),
    "server.too_much": "{server} sends more than a library of Lectern holds.",
    "server.unexpected": (
        "No request to {server} can be made ({reason}). Check the settings of your network's proxy."
    ),
    "server.unusable_token": "The token has characters that no token has. Copy it once more.",
}
