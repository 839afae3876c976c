"""Writes which version and which files of every package are installed (``make lock``), or checks them.

``constraints.txt`` has everything but PyTorch, for every system. PyTorch is in ``torch.txt``, without CUDA,
and in ``torch-cuda.txt`` as Linux gets it from where the other packages come from. Versions stay as they are
unless ``--upgrade`` is given. ``--find-links`` with a folder or an address is needed: it has the builds of
PyTorch for Linux without CUDA.

``--check`` is ``pip check``, which does not know that some packages are left out: others ask for them, but
what Lectern calls of those never imports them.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_CONSTRAINTS = _ROOT / "constraints.txt"
_TORCH = _ROOT / "resources" / "packaging" / "torch.txt"
_CUDA = _ROOT / "resources" / "packaging" / "torch-cuda.txt"
_OPTIONS = ("--generate-hashes", "--no-annotate", "--no-header", "--python-version", "3.11", "--quiet")
_HEADER = "# Written by `make lock`, which docs/packaging.md explains.\n"
LEFT_OUT = {
    "av": "decodes recordings, under the GPL; Qt does that",
    "kubernetes": "Chroma as a cluster",
    "opencv-python-headless": "the code of rapidocr, not its networks",
}
_NEEDED_BY_CUDA = re.compile(r"(nvidia-|cuda-|triton=)")


def lock(arguments: list[str]) -> None:
    """Write the three files."""
    known = "".join(
        path.read_text(encoding="utf-8") for path in (_CONSTRAINTS, _TORCH, _CUDA) if path.exists()
    )
    known = known.replace("+cpu", "")
    upgrade = [one for one in arguments if one == "--upgrade"]
    everything = _compile(_ROOT / "pyproject.toml", known, ["--universal", "--extra", "dev", *upgrade])
    torch = next(one for one in everything if one.startswith("torch=="))
    cuda = [one for one in everything if _NEEDED_BY_CUDA.match(one)]
    rest = [one for one in everything if one not in (torch, *cuda)]

    version = re.split(r"[ \\]", torch)[0]
    hashes = torch.partition(" \\\n")[2]
    others = [one for one in arguments if one not in upgrade]
    with tempfile.TemporaryDirectory() as folder:
        wish = Path(folder, "torch.in")
        wish.write_text(f"{version}+cpu\n", encoding="utf-8")
        found = next(one for one in _compile(wish, known, others) if one.startswith("torch=="))
    without_cuda = found.partition(" \\\n")[2]
    _write(_CONSTRAINTS, rest)
    _write(
        _TORCH,
        [
            f"{version} ; sys_platform != 'linux' \\\n{hashes}",
            f"{version}+cpu ; sys_platform == 'linux' \\\n{without_cuda}",
        ],
    )
    _write(_CUDA, [f"{version} ; sys_platform == 'linux' \\\n{hashes}", *cuda])


def _compile(source: Path, known: str, options: list[str]) -> list[str]:
    """Return the requirements that ``source`` comes to, each with its hashes, keeping known versions."""
    with tempfile.TemporaryDirectory() as folder:
        result, never = Path(folder, "lock.txt"), Path(folder, "never.txt")
        result.write_text(known, encoding="utf-8")
        never.write_text("".join(f"{name} ; python_version < '3'\n" for name in LEFT_OUT), encoding="utf-8")
        uv = [sys.executable, "-m", "uv", "pip", "compile", *_OPTIONS, "--override", str(never), *options]
        subprocess.run([*uv, "--output-file", str(result), str(source)], check=True, cwd=_ROOT)
        return re.findall(r"^\w.*\n(?: .*\n)*", result.read_text(encoding="utf-8"), re.MULTILINE)


def _write(path: Path, requirements: list[str]) -> None:
    path.write_text(_HEADER + "".join(requirements), encoding="utf-8", newline="\n")


def check() -> list[str]:
    """Return what ``pip check`` says of the installed packages, but for those left out."""
    done = subprocess.run(
        [sys.executable, "-m", "pip", "check"], check=False, capture_output=True, encoding="utf-8"
    )
    known = [f" requires {name}, which is not installed." for name in LEFT_OUT]
    wrong = [line for line in done.stdout.splitlines() if not line.endswith(tuple(known))]
    return [] if wrong == ["No broken requirements found."] else wrong


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit("\n".join(check()) or None)
    lock(sys.argv[1:])
