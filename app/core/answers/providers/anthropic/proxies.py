"""The proxy that stands between this computer and a model server."""

from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

# A model server on this computer is not behind the network's proxy.
_OWN_COMPUTER = ("localhost", "127.0.0.1", "::1")


def proxy_of(address: str) -> str:
    """Return scheme, host and port of the proxy that connections to an address go through, "" if none.

    Without user and password. It is found where the HTTP library looks for it.
    """
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
        if host in _OWN_COMPUTER or proxy_bypass(host):
            return ""
        proxies = getproxies()
        proxy = proxies.get(parts.scheme) or proxies.get("all") or ""
        found = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        port = f":{found.port}" if found.port else ""
    except (ValueError, OSError):
        return ""
    return f"{found.scheme}://{found.hostname}{port}" if found.hostname else ""
