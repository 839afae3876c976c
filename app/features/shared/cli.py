"""The commands on libraries on servers."""

import argparse
import getpass
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from app.cli.arguments import EXIT_ERROR, EXIT_OK, EXIT_PARTLY
from app.cli.interruptions import TOKEN
from app.cli.output import counted, fields, note, print_json, say
from app.config.redaction import TOKEN_VARIABLE
from app.core.courses.service import named
from app.core.rag_system import RAGSystem
from app.domain.errors import SharedError, UserError
from app.domain.messages import Message
from app.domain.shared import ServerAddress, ServerState, SharedLibrary
from app.features.shared.model import (
    CoursePublished,
    LibraryPublished,
    PublishProgress,
    PublishStatus,
    server_address,
)
from app.features.shared.publishing import PublishingService
from app.features.shared.service import SharedLibraries

_WANTS_TOKEN = ("server.no_access", "server.token_rejected")

_Result = TypeVar("_Result")


def publish(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    address = server_address(arguments.url, arguments.tenant, arguments.database, arguments.ca)
    titles = [_title(rag, name) for name in arguments.course] or None

    options: Any = {"remove": arguments.remove, "replaces": arguments.replace, "cancel": TOKEN}

    def run(token: str) -> LibraryPublished:
        for event in rag.service(PublishingService).publish(address, token, titles, **options):
            if isinstance(event, PublishProgress) and event.total:
                note(f"{event.course}: {event.done}/{event.total} passages")
            elif isinstance(event, LibraryPublished):
                return event
        raise AssertionError("the last event is missing")

    done = _with_token(rag, address, run)
    failed = [course for course in done.courses if course.status is PublishStatus.FAILED]
    if arguments.json:
        names = ("title", "status", "passages", "sent", "retired", "reason")
        rate = round(done.passages_sent / done.seconds, 1) if done.seconds else 0.0
        print_json(
            {
                **fields(address, "url", "tenant", "database"),
                "courses": [fields(course, *names) for course in done.courses],
                "seconds": round(done.seconds, 3),
                "passages_sent": done.passages_sent,
                "passages_per_second": rate,
            }
        )
    else:
        for course in done.courses:
            say(f"{course.status}: {course.title}{_amount(course)}")
        say(f"{counted(len(done.courses) - len(failed), 'course')}, {there(address)}")
    if not failed:
        return EXIT_OK
    return EXIT_PARTLY if len(failed) < len(done.courses) else EXIT_ERROR


def subscribe(rag: RAGSystem, arguments: argparse.Namespace) -> int:
    """Subscribe to a library, remove a subscription, or list them all with how they are now."""
    shared = rag.service(SharedLibraries)
    if arguments.url is None:
        for _ in shared.refresh(cancel=TOKEN):
            pass
        libraries = shared.libraries()
        _say_libraries(libraries, as_json=arguments.json)
        is_ready = all(library.state is ServerState.READY for library in libraries)
        return EXIT_OK if is_ready else EXIT_PARTLY
    address = server_address(arguments.url, arguments.tenant, arguments.database, arguments.ca)
    if arguments.remove:
        known = [one for one in shared.libraries() if one.address.key == address.key]
        if not known:
            raise UserError(Message("shared.not_subscribed", server=address.host, database=address.database))
        shared.unsubscribe(address)
        if arguments.json:
            print_json({"removed": fields(address, "url", "tenant", "database")})
        else:
            say(f"Removed the subscription to {there(address)}.")
        return EXIT_OK
    library = _with_token(
        rag, address, lambda token: shared.subscribe(address, token, cancel=TOKEN), saves=False
    )
    if shared.is_token_lost(address):
        note(f"No keychain takes the token; give it to each command as {TOKEN_VARIABLE}.")
    _say_libraries((library,), as_json=arguments.json)
    return EXIT_OK


def _say_libraries(libraries: Sequence[SharedLibrary], *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "libraries": [
                    {
                        **fields(one.address, "url", "tenant", "database"),
                        **fields(one, "state", "problem", "fetched_at", "hidden", "left_out"),
                        "courses": [course.title for course in one.courses],
                    }
                    for one in libraries
                ]
            }
        )
        return
    for one in libraries:
        say(f"{there(one.address)}: {one.problem or one.state}")
        for course in one.courses:
            say(f"  {course.title} ({counted(course.passages, 'passage')})")
        for title in one.hidden:
            say(f"  {title} (hidden: another course has this title)")
        for sentence in one.left_out:
            say(f"  {sentence}")
    if not libraries:
        say("There is no subscription.")


def _amount(course: CoursePublished) -> str:
    if course.reason is not None:
        return f": {course.reason}"
    if course.status is PublishStatus.REMOVED:
        return ""
    sent = f", {course.sent} of them sent" if course.sent else ""
    return f" ({counted(course.passages, 'passage')}{sent})"


def there(address: ServerAddress) -> str:
    return f"database “{address.database}” on {address.host}"


def _title(rag: RAGSystem, name: str) -> str:
    """Return the title of the library's course that a name stands for."""
    (course,) = named(name, rag.courses.all(), lambda course: course.title, lambda _: ())
    return course.title


def _with_token(
    rag: RAGSystem, address: ServerAddress, run: Callable[[str], _Result], *, saves: bool = True
) -> _Result:
    """Do something with a server's token; on a terminal, ask for one that is missing or rejected.

    What was typed is kept, unless ``run`` does so.
    """
    tokens = rag.service(SharedLibraries).tokens
    token = os.environ.get(TOKEN_VARIABLE, "").strip() or tokens.read(address.key)
    try:
        return run(token)
    except SharedError as error:
        if error.message.id not in _WANTS_TOKEN or not sys.stdin.isatty():
            raise
        refusal = error.message
    typed = getpass.getpass(f"{refusal}\nToken: ", stream=sys.stderr).strip()
    done = run(typed)
    if saves:
        tokens.save(address.key, typed)
    return done
