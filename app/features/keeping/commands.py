"""The commands on the trash, on files that hold a library, and on its examination."""

import argparse
from pathlib import Path

from app.cli.command import Command, add_name


def _describe_doctor(doctor: argparse.ArgumentParser) -> None:
    doctor.add_argument("--repair", action="store_true", help="repair what can be repaired")
    doctor.add_argument(
        "--restore",
        nargs="?",
        const="",
        metavar="BACKUP",
        help="list the backups, or restore one by name, by day, or “latest”",
    )


def _describe_restore(restore: argparse.ArgumentParser) -> None:
    add_name(restore, "NAME", "everything in the trash")


def _describe_export(export: argparse.ArgumentParser) -> None:
    export.add_argument("file", type=Path, metavar="FILE")


def _describe_import(importing: argparse.ArgumentParser) -> None:
    importing.add_argument("--replace", action="store_true", help="replace the whole library")
    importing.add_argument("file", type=Path, metavar="FILE")


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
        add_arguments=_describe_restore,
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
        add_arguments=_describe_export,
    ),
    Command(
        name="import",
        help="import a file that export wrote",
        run="app.features.keeping.cli:import_library",
        add_arguments=_describe_import,
        writes=True,
    ),
    Command(
        name="doctor",
        help="report what is installed, stored and missing",
        run="app.features.keeping.cli:doctor",
        add_arguments=_describe_doctor,
        opens_library=False,
    ),
)
