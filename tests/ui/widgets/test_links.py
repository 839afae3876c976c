from __future__ import annotations

import pytest

from app.ui.widgets.desktop import is_web_link


@pytest.mark.parametrize("link", ["https://example.org", "HTTP://example.org/a b", " http://127.0.0.1:80/x "])
def test_web_addresses_are_followed(link: str) -> None:
    assert is_web_link(link)


@pytest.mark.parametrize(
    "link",
    [None, "", "example.org", "file:///etc/passwd", "javascript:alert(1)", "https://", "http:example.org",
     "data:text/html,x", "http://[::1", "smb://host/share", "\\\\host\\share"],
)  # fmt: skip
def test_nothing_else_is(link: str | None) -> None:
    assert not is_web_link(link)
