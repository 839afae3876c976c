"""The commands on the trash, on files that hold a library, and on its examination."""

from pathlib import Path

from app.cli.command import Command, argument, name_or_all

_FILE = argument("file", type=Path, metavar="FILE")
COMMANDS = (
    Command(
        name="trash list",
        help="list what was removed, latest first",
        run="app.features.keeping.cli:list_trash",
    ),
    Command(
        name="trash restore",
        help="restore a course, a file or a folder",
        run="app.features.keeping.cli:restore",
        arguments=(name_or_all("NAME", "everything in the trash"),),
        writes=True,
    ),
    Command(
        name="trash empty",
        help="permanently delete everything and free its disk space",
        run="app.features.keeping.cli:empty_trash",
        writes=True,
    ),
    Command(
        name="export",
        help="write courses, conversations and settings to one file",
        run="app.features.keeping.cli:export_library",
        arguments=(_FILE,),
    ),
    Command(
        name="import",
        help="import a file that export wrote",
        run="app.features.keeping.cli:import_library",
        arguments=(argument("--replace", action="store_true", help="replace the whole library"), _FILE),
        writes=True,
    ),
    Command(
        name="doctor",
        help="report what is stored and missing",
        run="app.features.keeping.cli:doctor",
        arguments=(
            argument("--repair", action="store_true", help="repair what can be repaired"),
            argument(
                "--restore",
                nargs="?",
                const="",
                metavar="BACKUP",
                help="list the backups, or restore one by name, by day, or “latest”",
            ),
        ),
        opens_library=False,
    ),
)
