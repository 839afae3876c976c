"""The commands on libraries on servers."""

from app.cli.command import Argument, Command, argument

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


_SERVER = (
    argument("--tenant", default="", metavar="T", help="“default_tenant” unless given"),
    argument("--database", default="", metavar="D", help="“default_database” unless given"),
    argument(
        "--ca", default="", metavar="FILE", help="certificates to trust, for a server of your own (PEM)"
    ),
)


def _courses(option: str, what: str) -> Argument:
    about = f"{what}; part of its title is enough; repeatable"
    return argument(option, action="append", default=[], metavar="NAME", help=about)


COMMANDS = (
    Command(
        name="publish",
        help="put courses on a Chroma server",
        run="app.features.shared.cli:publish",
        description=_PUBLISH,
        arguments=(
            argument("url", metavar="URL", help="of the server, such as https://chroma.example.org:8000"),
            *_SERVER,
            _courses("--course", "publish only this course"),
            _courses("--remove", "remove this course there"),
            argument(
                "--replace", action="store_true", help="also courses that another library has published"
            ),
        ),
    ),
    Command(
        name="subscribe",
        help="search the courses of a Chroma server, too",
        run="app.features.shared.cli:subscribe",
        description=_SUBSCRIBE,
        arguments=(
            argument("url", nargs="?", metavar="URL", help="such as https://chroma.example.org:8000"),
            *_SERVER,
            argument("--remove", action="store_true", help="forget the library, and its token"),
        ),
    ),
)
