"""Old Word and PowerPoint files as new ones, made by LibreOffice where it is installed.

LibreOffice runs with a profile made for it alone, in which macros and what documents load from elsewhere are
off. Its caller confines it.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

CONVERTED = {".doc": ".docx", ".ppt": ".pptx", ".pps": ".pptx"}
"""Endings of files that LibreOffice converts, and what to."""

PLACES = {
    "win32": ("C:/Program Files/LibreOffice/program", "C:/Program Files (x86)/LibreOffice/program"),
    "darwin": (
        "/Applications/LibreOffice.app/Contents/MacOS",
        "~/Applications/LibreOffice.app/Contents/MacOS",
    ),
    "linux": ("/usr/lib/libreoffice/program", "/opt/libreoffice/program"),
}
"""Folders it is installed in, besides those on the search path."""

_NAMES = ("soffice.com", "soffice") if sys.platform == "win32" else ("soffice", "libreoffice")
_SECURITY = (
    '<item oor:path="/org.openoffice.Office.Common/Security/Scripting">'
    '<prop oor:name="{}" oor:op="fuse"><value>{}</value></prop></item>'
)
_PROFILE = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    '<oor:items xmlns:oor="http://openoffice.org/2001/registry">'
    + _SECURITY.format("MacroSecurityLevel", 3)
    + _SECURITY.format("DisableMacrosExecution", "true")
    + _SECURITY.format("BlockUntrustedRefererLinks", "true")
    + "</oor:items>"
)


def find_libreoffice() -> str | None:
    """Return the path of the program; None if it is not installed.

    One in a snap does not count: confined as it is run here, a snap cannot start.
    """
    places = (str(Path(place).expanduser()) for place in PLACES.get(sys.platform, ()))
    searched = (*os.environ.get("PATH", os.defpath).split(os.pathsep), *places)
    folders = os.pathsep.join(folder for folder in searched if "snap" not in Path(folder).parts)
    return next((found for name in _NAMES if (found := shutil.which(name, path=folders))), None)


def convert(program: str, data: bytes, ending: str, folder: Path) -> Path | None:
    """Return the converted file; None if LibreOffice cannot read it. Its profile is in ``folder`` too."""
    settings = folder / "profile" / "user" / "registrymodifications.xcu"
    if not settings.exists():
        settings.parent.mkdir(parents=True)
        settings.write_text(_PROFILE, encoding="utf-8")
    source, made = folder / f"document{ending}", folder / f"document{CONVERTED[ending]}"
    source.write_bytes(data)
    made.unlink(missing_ok=True)
    options = ("--headless", "--norestore", "--nologo", "--nodefault", "--nolockcheck")
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    convert_to = ("--convert-to", made.suffix[1:], "--outdir", str(folder), str(source))
    subprocess.run(
        [program, profile, *options, *convert_to],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    return made if made.exists() else None
