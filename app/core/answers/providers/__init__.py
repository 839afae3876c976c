"""Model providers: the protocol in ``base``, a package for each kind of server."""
