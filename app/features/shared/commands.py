"""The commands on libraries on servers."""

import argparse

from app.cli.command import Command

_SUBSCRIBE = (
    "Add the library that somebody published on a Chroma server: its courses are listed, searched and cited "
    "beside your own. Nothing is written there. The token is that of LECTERN_CHROMA_TOKEN or the keychain; "
    "on a terminal it is asked for. Without URL, all subscriptions are listed; the exit code is 3 if one of "
    "them cannot be used now."
)
_PUBLISH = (
    "Put courses on a Chroma server, where others can search them: all but the samples, or those named. Only "
    "what has changed is sent; an interrupted run is continued by the same command. Where nothing is named, "
    "courses that this library has published and no longer has are removed. The token is that of "
    "LECTERN_CHROMA_TOKEN or of the system's keychain; on a terminal it is asked for. The exit code is 3 if "
    "only some courses could be published."
)


def _describe_publish(publish: argparse.ArgumentParser) -> None:
    publish.add_argument("url", metavar="URL", help="of the server, such as https://chroma.example.org:8000")
    _describe_server(publish)
    for option, what in (("--course", "publish only this course"), ("--remove", "remove this course there")):
        publish.add_argument(
            option,
            action="append",
            default=[],
            metavar="NAME",
            help=f"{what}; part of its title is enough; repeatable",
        )
    publish.add_argument(
        "--replace", action="store_true", help="also courses that another library has published"
    )


def _describe_subscribe(subscribe: argparse.ArgumentParser) -> None:
    subscribe.add_argument("url", nargs="?", metavar="URL", help="such as https://chroma.example.org:8000")
    _describe_server(subscribe)
    subscribe.add_argument("--remove", action="store_true", help="forget the library, and its token")


def _describe_server(command: argparse.ArgumentParser) -> None:
    """Add what tells a database of a server, besides its URL."""
    command.add_argument("--tenant", default="", metavar="T", help="“default_tenant” unless given")
    command.add_argument("--database", default="", metavar="D", help="“default_database” unless given")
    command.add_argument(
        "--ca", default="", metavar="FILE", help="certificates to trust, for a server of your own (PEM)"
    )


COMMANDS = (
    Command(
        name="publish",
        help="put courses on a Chroma server",
        run="app.features.shared.cli:publish",
        description=_PUBLISH,
        add_arguments=_describe_publish,
    ),
    Command(
        name="subscribe",
        help="search the courses of a Chroma server, too",
        run="app.features.shared.cli:subscribe",
        description=_SUBSCRIBE,
        add_arguments=_describe_subscribe,
    ),
)
