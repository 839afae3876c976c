"""What a link may say, and that nothing else is understood."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from app.domain.errors import UserError
from app.domain.links import LessonLink, PlaceLink, is_link, link_to, link_to_lesson, parse_link
from app.domain.search import SearchHit
from app.domain.sources import Source

DIGEST = "0123456789abcdef" * 4
TEXT = "The moon pulls the ocean into two bulges. Most coasts therefore see two high tides a day."


def source(course: str = "Tides & Currents", path: str = "/home/mira/secret/tides.txt") -> Source:
    hit = SearchHit(1, 1.0, course, 1, "Why", 0, TEXT, path, 100, 100 + len(TEXT), None, None, 7)
    return Source(3, "ref", hit, ((100, 141),), DIGEST)


def test_a_link_is_understood_as_it_was_written() -> None:
    link = link_to(source(), (100, 141))
    assert is_link(link)
    words = "The moon pulls the ocean into two bulges."
    assert parse_link(link) == PlaceLink("Tides & Currents", "tides.txt", DIGEST[:16], (100, 141), words)


@pytest.mark.parametrize("path", ["/home/mira/secret/tides.txt", "C:\\Users\\mira\\secret\\tides.txt"])
def test_it_says_nothing_of_the_users_folders(path: str) -> None:
    link = link_to(source(path=path))
    assert "mira" not in link
    assert "secret" not in link
    assert "tides.txt" in link


def test_a_lesson_is_named_by_its_number_and_its_title() -> None:
    assert parse_link(link_to_lesson("Tides", 0, "Start")) == LessonLink("Tides", 0, "Start")
    assert parse_link(link_to_lesson("Tides", None, "Q & A")) == LessonLink("Tides", None, "Q & A")
    long = "潮" * 300, None, "汐" * 500  # nine characters each
    assert parse_link(link_to_lesson(*long)) == LessonLink(*long)


@pytest.mark.parametrize("title", ["海" * 290, "a" * 5000, "line\nbreak \x1b[2J", "\ud800 half", ""])
def test_whatever_a_course_is_called_its_links_can_be_opened(title: str) -> None:
    assert isinstance(parse_link(link_to(source(course=title))), PlaceLink)


def test_words_are_whole_ones() -> None:
    for text in ("word " * 100, "潮" * 300, "潮の満ち引きは月による。" * 30):
        link = parse_link(link_to(source(), (100, 100 + len(text)), text))
        assert isinstance(link, PlaceLink)
        assert len(link.words) <= 120
        assert link.words in ("", ("word " * 24).strip()) or link.words.endswith("月による")


def test_browsers_may_add_a_slash_and_change_the_case() -> None:
    assert parse_link("LECTERN://READ/?file=0123456789abcdef&at=1-2") == PlaceLink(
        "", "", "0123456789abcdef", (1, 2), ""
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "lectern:",
        "lectern://",
        "lectern://read",
        "lectern://read?",
        "lectern://run?file=0123456789abcdef",
        "lectern://user:pass@read?file=0123456789abcdef",
        "lectern://read:80?file=0123456789abcdef",
        "lectern://[read?file=0123456789abcdef",
        "lectern:read?file=0123456789abcdef",
        "https://read?file=0123456789abcdef",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "lectern://read?file=0123456789ABCDEF",
        "lectern://read?file=' OR 1=1 --",
        "lectern://read?" + "&".join(f"a{n}=1" for n in range(100)),
        "lectern://lesson?number=1",
        "lectern://read?name=a&words=" + "x" * 1_000_000,
    ],
)
def test_anything_else_is_no_link(text: str) -> None:
    with pytest.raises(UserError, match="not a link that Lectern can open"):
        parse_link(text)


@pytest.mark.parametrize(
    ("said", "understood"),
    [
        ("name=a&exec=rm", PlaceLink("", "a", "", None, "")),
        ("name=..%2fetc%2fpasswd&at=0-5", PlaceLink("", "../etc/passwd", "", (0, 5), "")),
        ("name=a%00b%1b%5b2J", PlaceLink("", "a b [2J", "", None, "")),
        ("name=%ed%a0%80", PlaceLink("", "\ufffd\ufffd\ufffd", "", None, "")),
        *(
            (f"name=a&at={at}", PlaceLink("", "a", "", None, ""))
            for at in ("5-5", "9-5", "0-99999999", "٠-٥")
        ),
        ("name=" + "a" * 501, PlaceLink("", "a" * 500, "", None, "")),
        ("name=a&words=" + quote("x" * 501), PlaceLink("", "a", "", None, "x" * 500)),
    ],
)
def test_what_a_link_says_wrongly_counts_as_not_said(said: str, understood: PlaceLink) -> None:
    assert parse_link(f"lectern://read?{said}") == understood
