"""The pictures of documents: where they stand in the text that is stored, and what may be shown of them."""

from __future__ import annotations

import base64
import hashlib
import io
import json
from typing import TYPE_CHECKING

import docx
import pptx
import pytest
from docx.shared import Inches as WordInches
from PIL import Image
from pptx.util import Inches

from app.core.documents.document_reader import read_document
from app.core.documents.page_process import PictureProcess
from app.core.sandbox import Sandbox
from app.domain.cancel import CancelToken
from app.domain.figures import FileVersion

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.domain.figures import PlacedPicture

TOKEN = CancelToken()
RED, BLUE = (200, 20, 20), (20, 20, 200)


@pytest.fixture(scope="module")
def folders() -> list[str]:
    return []


@pytest.fixture(scope="module")
def process(folders: list[str]) -> Iterator[PictureProcess]:
    with Sandbox("test") as sandbox:
        yield PictureProcess(sandbox, lambda: folders)


def png(colour: tuple[int, int, int] = RED, size: tuple[int, int] = (80, 40)) -> bytes:
    data = io.BytesIO()
    Image.new("RGB", size, colour).save(data, "PNG")
    return data.getvalue()


def uri(data: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(data).decode()}"


def version(path: Path) -> FileVersion:
    return FileVersion(str(path), hashlib.sha256(path.read_bytes()).hexdigest())


def listed(process: PictureProcess, path: Path) -> tuple[str, tuple[PlacedPicture, ...]]:
    """Return the text of a file as the library has it, and its pictures."""
    text = read_document(path).text
    return text, process.placed(version(path), text, 0, TOKEN)


def seen(process: PictureProcess, path: Path) -> list[tuple[str, tuple[int, int, int]]]:
    """Return the last words before each picture, and its colour."""
    text, pictures = listed(process, path)
    found = []
    for one in pictures:
        pixels = process.pixels(version(path), one.n, 40, 20, TOKEN)[4 * 420 :]  # from its middle on
        found.append((text[: one.position].split("\n")[-1][-8:], (pixels[0], pixels[1], pixels[2])))
    return found


def test_markdown_has_its_pictures_in_their_places(process: PictureProcess, tmp_path: Path) -> None:
    (tmp_path / "img").mkdir()
    (tmp_path / "img" / "a b.png").write_bytes(png(BLUE))
    (tmp_path / "red.png").write_bytes(png())
    path = tmp_path / "lesson.md"
    path.write_text(
        "# Trees\n\nOne two.\n\n![](img/a%20b.png)\n\n"
        "1. Click here ![x](red.png 'title')\n2. Then there\n\n"
        '<p align="center"><img src="red.png" width="40" alt="A tree of three nodes"></p>\n\n'
        f"See ![plot][p] it.\n\n![embedded]({uri(png(BLUE))})\n\n"
        "```\n![no](red.png)\n```\n\n| a | b |\n|---|---|\n| c ![](red.png) | d |\n\n[p]: red.png\n"
    )
    colours = seen(process, path)
    assert colours == [
        ("One two.", BLUE),
        ("ick here", RED),
        ("en there", RED),
        ("See", RED),
        ("See  it.", BLUE),
        ("| c", RED),
    ]
    text, pictures = listed(process, path)
    assert "\U0001f030" not in text
    assert [(one.width, one.height) for one in pictures][:3] == [(80, 40), (80, 40), (40, 20)]
    assert pictures[2].alt == "A tree of three nodes"


def test_a_part_of_a_text_has_the_pictures_within(process: PictureProcess, tmp_path: Path) -> None:
    (tmp_path / "red.png").write_bytes(png())
    path = tmp_path / "lesson.md"
    path.write_text("".join(f"## Part\n\nThe same words.\n\n![{n}](red.png)\n\n" for n in range(9)))
    text = read_document(path).text
    start = text.index("##", 60)
    found = process.placed(version(path), text[start:], start, TOKEN)
    first = text[:start].count("##")
    assert [one.alt for one in found] == [str(n) for n in range(first, 9)]


def test_only_files_of_the_chosen_folder_are_shown(
    process: PictureProcess, folders: list[str], tmp_path: Path
) -> None:
    course = tmp_path / "course"
    (course / "notes").mkdir(parents=True)
    (tmp_path / "secret.png").write_bytes(png())
    (course / "own.png").write_bytes(png(BLUE))
    (course / "linked.png").symlink_to(tmp_path / "secret.png")
    path = course / "notes" / "a.md"
    targets = (
        *("../../secret.png", str(tmp_path / "secret.png"), (tmp_path / "secret.png").as_uri()),
        *(
            "../linked.png",
            "https://example.org/a.png",
            "//example.org/a.png",
            "a.md",
            "../own.png",
            "/own.png",
        ),
    )
    path.write_text("Words.\n\n" + "\n\n".join(f"![{n}]({target})" for n, target in enumerate(targets)))
    assert [one.alt for one in listed(process, path)[1]] == []  # nothing but the file's own folder is known
    folders.append(str(course))
    assert [one.alt for one in listed(process, path)[1]] == ["7", "8"]
    folders.clear()


def test_a_link_may_have_slashes_of_windows_in_any_form(process: PictureProcess, tmp_path: Path) -> None:
    (tmp_path / "img").mkdir()
    (tmp_path / "img" / "red.png").write_bytes(png())
    path = tmp_path / "a.md"
    path.write_text("A.\n\n![](img\\red.png)\n\nB.\n\n![](img%5Cred.png)\n")
    assert [words for words, _ in seen(process, path)] == ["A.", "B."]


def test_a_notebook_shows_plots_and_attachments(process: PictureProcess, tmp_path: Path) -> None:
    encoded = base64.encodebytes(png()).decode()
    plot = {"output_type": "display_data", "data": {"image/png": encoded, "text/plain": "<Figure size 9x9>"}}
    attached = {"a.png": {"image/png": base64.b64encode(png(BLUE)).decode()}}
    cells = [
        {"cell_type": "code", "source": "plot(tides)", "outputs": [plot]},
        {"cell_type": "markdown", "source": "As seen:\n\n![](attachment:a.png)", "attachments": attached},
        {"cell_type": "code", "source": "plot(moons)", "outputs": [plot]},
    ]
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    assert seen(process, path) == [("```", RED), ("As seen:", BLUE), ("```", RED)]


def test_a_page_shows_pictures_in_lists_links_and_tables(process: PictureProcess, tmp_path: Path) -> None:
    (tmp_path / "red.png").write_bytes(png())
    path = tmp_path / "a.html"
    rows = "<tr><td><img src=red.png></td><td></td></tr><tr><td>one</td><td>two</td></tr>"
    path.write_text(
        "<html><body><main><h1>Tides</h1><p>Before.</p><ul><li><img src=red.png></li><li>item</li></ul>"
        f"<p><a href=big.png><img src='{uri(png(BLUE))}' alt='A long description of it'></a> after</p>"
        f"<table>{rows}</table><h2><img src=red.png></h2><p>{'End. ' * 50}</p></main></body></html>"
    )
    assert seen(process, path) == [
        ("Before.", RED),
        ("- item", BLUE),
        (" | two |", RED),
        (" | two |", RED),
    ]


def test_a_word_document_shows_its_pictures(process: PictureProcess, tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("First words.")
    document.add_picture(io.BytesIO(png()), width=WordInches(2))
    document.add_paragraph("", style="List Bullet").add_run().add_picture(io.BytesIO(png(BLUE)))
    document.add_paragraph("Last words.")
    path = tmp_path / "a.docx"
    document.save(str(path))
    assert seen(process, path) == [("t words.", RED), ("t words.", BLUE)]
    assert [one.width for one in listed(process, path)[1]][0] == 192


def test_slides_show_their_pictures_cropped_and_say_which_they_are(
    process: PictureProcess, tmp_path: Path
) -> None:
    deck = pptx.Presentation()
    for title in ("Waves", "", "Winds"):
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = title
        two = Image.new("RGB", (100, 50), RED)
        two.paste(BLUE, (50, 0, 100, 50))
        data = io.BytesIO()
        two.save(data, "PNG")
        shown = slide.shapes.add_picture(data, Inches(1), Inches(2), width=Inches(1))
        shown.crop_left = 0.5
    path = tmp_path / "a.pptx"
    deck.save(str(path))
    assert seen(process, path) == [("# Waves", BLUE), ("# Waves", BLUE), ("# Winds", BLUE)]
    found = listed(process, path)[1]
    assert [one.slide for one in found] == [1, 2, 3]
    assert (found[0].width, found[0].height) == (96, 96)


def test_drawings_are_shown_without_what_they_would_load(process: PictureProcess, tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(png())
    secret = (tmp_path / "secret.png").as_uri()
    (tmp_path / "a.svg").write_text(
        '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 40">'
        '<script>location="https://example.org"</script><rect width="80" height="40" fill="#1414c8"/>'
        f'<image href="{secret}" width="80" height="40"/>'
        f'<image href="{tmp_path / "secret.png"}" width="80" height="40"/></svg>'
    )
    (tmp_path / "b.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="10mm" height="10mm"><image href="{uri(png())}"'
        ' width="100%" height="100%" preserveAspectRatio="none"/></svg>'
    )
    (tmp_path / "c.svg").write_text('<!DOCTYPE s [<!ENTITY a "b">]><svg width="1e9" height="0">&a;</svg')
    path = tmp_path / "a.md"
    path.write_text("Blue.\n\n![](a.svg)\n\nRed.\n\n![](b.svg)\n\nNone.\n\n![](c.svg)\n")
    assert seen(process, path) == [("Blue.", BLUE), ("Red.", RED)]
    assert [(one.width, one.height) for one in listed(process, path)[1]] == [(80, 40), (38, 38)]


@pytest.mark.parametrize("font", ["", 'font-family="sans-serif"', 'font-family="Not Installed"'])
def test_drawings_keep_their_words_without_their_fonts(
    process: PictureProcess, tmp_path: Path, font: str
) -> None:
    words = f'<text y="60" font-size="80" {font}>MMM</text>'
    (tmp_path / "a.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 80">{words}</svg>'
    )
    path = tmp_path / "a.md"
    path.write_text("Words.\n\n![](a.svg)\n")
    (found,) = listed(process, path)[1]
    assert process.pixels(version(path), found.n, 80, 80, TOKEN).count(0) > 1000  # are black


@pytest.mark.parametrize(
    "data",
    # A TIFF file with an empty directory: it does not say how wide it is.
    [b"", b"\x89PNG\r\n\x1a\n and more", png()[:60], png(size=(5, 5)), b"II*\0\x08" + bytes(9)],
    ids=["empty", "signature only", "cut off", "ornament", "no size"],
)
def test_what_is_no_picture_is_left_out(process: PictureProcess, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.png").write_bytes(data)
    (tmp_path / "red.png").write_bytes(png())
    path = tmp_path / "a.md"
    path.write_text("Words.\n\n![](x.png)\n\n![](red.png)\n")
    text, pictures = listed(process, path)
    drawn = [process.pixels(version(path), one.n, 4, 2, TOKEN) for one in pictures]
    assert [len(pixels) for pixels in drawn if pixels] == [32]


def test_a_huge_picture_costs_no_memory(process: PictureProcess, tmp_path: Path) -> None:
    image = Image.new("1", (9_000, 9_000))
    image.save(tmp_path / "x.png")
    path = tmp_path / "a.md"
    path.write_text("Words.\n\n![](x.png)\n")
    assert listed(process, path)[1] == ()


def test_a_text_that_was_read_in_another_way_has_its_pictures(
    process: PictureProcess, tmp_path: Path
) -> None:
    (tmp_path / "red.png").write_bytes(png())
    path = tmp_path / "a.md"
    path.write_text("# Tides\n\nThe moon pulls.\n\n![one](red.png)\n\nThe sea falls.\n\n![two](red.png)\n")
    text = read_document(path).text.replace("The sea", "Recognized words.\n\nThe sea")
    found = process.placed(version(path), text, 0, TOKEN)
    assert [(text[: one.position].split("\n")[-1], one.alt) for one in found] == [
        ("The moon pulls.", "one"),
        ("The sea falls.", "two"),
    ]


def test_a_changed_file_has_no_pictures(process: PictureProcess, tmp_path: Path) -> None:
    (tmp_path / "red.png").write_bytes(png())
    path = tmp_path / "a.md"
    path.write_text("Words.\n\n![](red.png)\n")
    before = version(path)
    path.write_text("Words!\n\n![](red.png)\n")
    assert process.placed(before, "Words.\n\n\n", 0, TOKEN) == ()
