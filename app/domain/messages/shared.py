"""Messages about libraries on servers."""

TEXTS = {
    "shared.no_address": (
        "This is not the address of a server. Give its scheme, name and port, such as "
        "https://chroma.example.org:8000."
    ),
    "shared.token_in_address": (
        "The address of a server must not contain a user name, a password or a token. "
        "Give the token separately; it is kept in the system's keychain."
    ),
    "shared.not_stored": "The subscription cannot be stored in {path}: {reason}.",
    "shared.no_name": "“{name}” is not the name of a tenant or database.",
}
