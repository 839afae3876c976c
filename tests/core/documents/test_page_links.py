"""The links of PDF pages: what they lead to, and what is never followed."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

from app.core.documents.page_process import PageProcess
from app.core.sandbox import Sandbox
from app.domain.cancel import CancelToken
from tests.support.set_pages import Setting, link, made_sentences, set_document

if TYPE_CHECKING:
    from pathlib import Path

    from app.domain.pages import PageLink

TOKEN = CancelToken()


def links_of(path: Path, setting: Setting) -> tuple[PageLink, ...]:
    data = set_document(made_sentences(30), setting).data
    path.write_bytes(data)
    with Sandbox("test") as sandbox:
        process = PageProcess(sandbox)
        process.open(str(path), hashlib.sha256(data).hexdigest(), TOKEN)
        return process.text(1, TOKEN).links


def test_links_lead_to_web_addresses_and_places_of_the_file(tmp_path: Path) -> None:
    links = (
        link("/A << /S /URI /URI (https://tides.example/a) >>"),
        link("/Dest [PAGE3 /XYZ 0 500 null]"),
        link("/A << /S /GoTo /D [PAGE2 /Fit] >>"),
    )
    web, place, page = links_of(tmp_path / "a.pdf", Setting(width=500, height=700, lines=7, links=links))
    assert (web.address, web.page) == ("https://tides.example/a", 0)
    assert [round(side) for side in web.box] == [40, 640, 140, 660]
    assert (place.address, place.page, round(place.y)) == ("", 3, 200)
    assert (page.page, page.y) == (2, 0.0)


def test_on_a_turned_page_a_link_stands_where_it_is_shown(tmp_path: Path) -> None:
    setting = Setting(width=500, height=700, lines=7, turn=90, links=(link("/Dest [PAGE2 /XYZ 100 0 null]"),))
    (found,) = links_of(tmp_path / "a.pdf", setting)
    assert [round(side) for side in found.box] == [40, 40, 60, 140]
    assert round(found.y) == 100


@pytest.mark.parametrize(
    "action",
    [
        "/A << /S /Launch /F (calc.exe) >>",
        "/A << /S /GoToR /F (other.pdf) /D [0 /Fit] >>",
        "/A << /S /JavaScript /JS (app.alert(1)) >>",
        "/A << /S /URI /URI (file:///etc/passwd) >>",
        "/A << /S /URI /URI (javascript:alert(1)) >>",
        "/Dest [99 /Fit]",
    ],
)
def test_nothing_else_is_a_link(tmp_path: Path, action: str) -> None:
    assert links_of(tmp_path / "a.pdf", Setting(lines=7, links=(link(action),))) == ()
