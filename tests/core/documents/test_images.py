"""Pictures of unknown origin are decoded upright, on white and in little memory."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from app.core.documents.images import decoded
from tests.support.scans import stored_as

if TYPE_CHECKING:
    from pathlib import Path

MEASURED = """
import re, sys
from app.core.documents.images import decoded
data = open(sys.argv[1], "rb").read()
decoded(data, 2600)
print(int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) // 1024)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc to measure it")
def test_the_largest_picture_is_decoded_without_a_second_copy(tmp_path: Path) -> None:
    shades = Image.linear_gradient("L").resize((7000, 7000))
    path = tmp_path / "large.png"
    Image.merge("RGB", (shades, shades, shades)).save(path, compress_level=1)
    run = [sys.executable, "-c", MEASURED, str(path)]
    assert int(subprocess.run(run, capture_output=True, text=True, check=True).stdout) < 400  # megabytes


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I", "F"])
def test_pictures_of_all_modes_are_upright_and_on_white(mode: str) -> None:
    drawn = Image.new("L", (80, 40), 255)
    drawn.paste(0, (0, 0, 20, 20))  # dark at the upper left
    picture = drawn.convert(mode) if mode not in ("I", "F") else drawn.convert(mode).point(lambda v: v * 256)
    turned = Image.Exif()
    turned[0x0112] = 6  # to be turned clockwise
    shown = decoded(stored_as(picture, "TIFF", exif=turned), 40)
    assert (shown.mode, shown.size) == ("RGB", (20, 40))
    assert shown.getpixel((17, 3)) == (0, 0, 0)
    assert shown.getpixel((3, 3)) == shown.getpixel((17, 30)) == (255, 255, 255)
