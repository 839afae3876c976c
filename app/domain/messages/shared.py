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
    "shared.not_a_library": "The database on the server holds no library of Lectern.",
    "shared.other_model": (
        "The library on the server was made with the embedding model {theirs}, but this one uses {ours}. "
        "Choose the same model in the settings."
    ),
    "shared.other_schema": (
        "The library on the server was published by another version of Lectern. Install the same version."
    ),
}
