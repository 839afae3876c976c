"""Which addresses and keys the settings dialog accepts."""

import ipaddress
from urllib.parse import urlsplit


def is_loopback(host: str) -> bool:
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def is_server_address(text: str) -> bool:
    """Return whether ``text`` can be a model server's address: http(s) and a host, no query."""
    try:
        parts = urlsplit(text)
        valid_port = parts.port is None or parts.port > 0
    except ValueError:
        return False
    spaced = any(character.isspace() or not character.isprintable() for character in text)
    return (
        parts.scheme.lower() in ("http", "https")
        and bool(parts.hostname)
        and valid_port
        and not (spaced or parts.query or parts.fragment)
    )


def has_user_info(text: str) -> bool:
    """Return whether the address holds a user name or password, which would be saved in a file."""
    return "@" in text.partition("://")[2].partition("/")[0]


def is_unencrypted(text: str) -> bool:
    """Return whether a key sent to this address could be read on the way."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme.lower() == "http" and not is_loopback(parts.hostname or "")


def is_possible_key(text: str) -> bool:
    """Return whether ``text`` can be sent as a key: printable ASCII without spaces."""
    return all("!" <= character <= "~" for character in text)
