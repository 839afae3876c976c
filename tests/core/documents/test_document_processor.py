from __future__ import annotations

import random
import re

import pytest

from app.core.documents.document_processor import DocumentProcessor, title_of_file, web_link
from app.domain.documents import Anchor, AnchorMark, DocumentText, ParsedDocument

COURSE = """\
Course Title: Building with Claude
Course Link: https://example.org/course
Course Instructor: Ada Example

Lesson 0: Introduction
Lesson Link: https://example.org/course/0
Welcome. This is lesson zero.

It has two paragraphs.

Lesson 1: Prompt Caching
No link here.
Lesson 2: The End
Lesson Link: https://example.org/course/2

Bye."""


def parse(text: str, file_name: str = "my_notes-01.txt") -> ParsedDocument:
    parsed = DocumentProcessor().parse(DocumentText(text), file_name)
    assert parsed.text == text
    check_lessons(parsed)
    return parsed


def check_lessons(parsed: ParsedDocument) -> None:
    """Lessons are in order, apart, and neither begin nor end with a blank line."""
    assert parsed.lessons
    position = 0
    for lesson in parsed.lessons:
        assert position <= lesson.start <= lesson.end <= len(parsed.text)
        content = parsed.text[lesson.start : lesson.end]
        assert content.rstrip() == content
        assert not content or content.split("\n")[0].strip()
        position = lesson.end


def lessons(text: str) -> list[tuple[int | None, str, str]]:
    """Return (number, title, content) of each lesson."""
    parsed = parse(text)
    return [(lesson.number, lesson.title, text[lesson.start : lesson.end]) for lesson in parsed.lessons]


def test_a_course_file() -> None:
    parsed = parse(COURSE)
    assert (parsed.course_title, parsed.course_link, parsed.instructor) == (
        "Building with Claude",
        "https://example.org/course",
        "Ada Example",
    )
    assert [(lesson.number, lesson.title, lesson.link) for lesson in parsed.lessons] == [
        (0, "Introduction", "https://example.org/course/0"),
        (1, "Prompt Caching", None),
        (2, "The End", "https://example.org/course/2"),
    ]
    assert [content for _, _, content in lessons(COURSE)] == [
        "Welcome. This is lesson zero.\n\nIt has two paragraphs.",
        "No link here.",
        "Bye.",
    ]


def test_anchors_are_passed_on() -> None:
    marks = (AnchorMark(0, Anchor("heading", "A")),)
    assert DocumentProcessor().parse(DocumentText("# A\ntext", marks), "a.md").marks == marks


@pytest.mark.parametrize(
    "header",
    [
        "course instructor: Ada\nCOURSE TITLE: Maths\nCourse link: https://x.org/\n",
        "\n\n  Course Title :  Maths \nCourse Link:https://x.org/\n\n\nCourse Instructor:\tAda",
        "# Course Title: Maths\n\n**Course Link:** <https://x.org/>\n**Course Instructor**: Ada\n",
        "**Course Title: Maths**\n- Course Link: [site](https://x.org/)\n*Course Instructor: Ada*\n",
        "> Course Title: Maths ##\n> Course Link: https://x.org/.\n> Course Instructor: **Ada**\n".replace(
            " ##", ""
        ),
        "Subtitle\nCourse Title： Maths\nCourse Link: https://x.org/\nCourse Instructor: Ada",
    ],
)
def test_the_header_in_any_order_case_and_dress(header: str) -> None:
    parsed = parse(f"{header}\nLesson 1: One\ntext")
    assert (parsed.course_title, parsed.course_link, parsed.instructor) == ("Maths", "https://x.org/", "Ada")
    assert parsed.lessons[-1].number == 1


def test_keys_count_within_the_first_four_lines_that_are_not_blank() -> None:
    parsed = parse("one\n\ntwo\nthree\n\nCourse Title: In time\nCourse Instructor: Too late\ntext")
    assert parsed.course_title == "In time"
    assert parsed.instructor is None
    assert lessons(parsed.text) == [
        (None, "", "one\n\ntwo\nthree"),
        (None, "", "Course Instructor: Too late\ntext"),
    ]


def test_keys_after_the_first_lesson_are_its_text() -> None:
    assert lessons("Lesson 1: A\nCourse Title: B") == [(1, "A", "Course Title: B")]


def test_an_unusable_header() -> None:
    parsed = parse("Course Title: **\nCourse Link: see the site\nCourse Instructor:\nReal first line\ntext")
    assert (parsed.course_title, parsed.course_link, parsed.instructor) == ("Real first line", None, None)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Thermo*dynamics* ##\ntext", "Thermo*dynamics*"),
        ("\n\n  A plain first line\ntext", "A plain first line"),
        ("Notes\n=====\ntext", "Notes"),
        (" = Valkyria = \ntext", "Valkyria"),
        ("-----\nAfter a rule", "After a rule"),
        ('---\ntags: [a]\ntitle: "Front matter"\n---\n# Other\n', "Front matter"),
        ("# Learning C#", "Learning C#"),
        ("Searching with A*\ntext", "Searching with A*"),
        ("x" * 201 + "\ntext", "my notes-01"),
        ("Lesson 1: A\ntext", "my notes-01"),
        ("...\n***\n", "my notes-01"),
        ("", "my notes-01"),
        ("Tab\there\u202e and\x07 there\ntext", "Tab here and there"),
    ],
)
def test_the_title_without_a_header(text: str, title: str) -> None:
    assert parse(text).course_title == title


def test_an_endless_title_is_cut_after_a_word_and_the_text_is_not() -> None:
    text = (
        "Course Title: "
        + "Statistics " * 50
        + "\nLesson 1: "
        + "word " * 100
        + "\nLesson Link: https://x.org\nb"
    )
    parsed = parse(text)
    assert 100 < len(parsed.course_title) <= 200
    assert parsed.course_title.endswith("Statistics…")
    assert 100 < len(parsed.lessons[0].title) <= 200
    assert parse("Course Title: " + "x" * 500).course_title == "x" * 199 + "…"


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("03_intro_to_rag.txt", "03 intro to rag"),
        ("Week 1 - Sets.md", "Week 1 - Sets"),
        (".txt", ".txt"),
        ("a\nb\x1b.txt", "a b"),
        ("\x00.md", "Untitled"),
    ],
)
def test_a_file_name_as_a_title(name: str, title: str) -> None:
    assert title_of_file(name) == title


def test_without_a_marker_the_whole_text_is_one_lesson() -> None:
    assert lessons("First line\n\ntext\n") == [(None, "", "First line\n\ntext")]
    assert lessons("Course Title: T\n\n   text\nmore") == [(None, "", "   text\nmore")]


@pytest.mark.parametrize("text", ["", "\n \n", "Course Title: T", "Course Title: T\n\n"])
def test_without_content_there_is_one_empty_lesson(text: str) -> None:
    assert lessons(text) == [(None, "", "")]


def test_text_before_the_first_lesson_is_a_lesson_without_a_number() -> None:
    assert lessons("Course Title: T\n\nAbout this course.\n\nLesson 1: A\na") == [
        (None, "", "About this course."),
        (1, "A", "a"),
    ]


def test_no_line_beside_the_header_is_lost() -> None:
    assert lessons("Course Title: T\nA subtitle\nCourse Link: https://x.org\nIntro\nLesson 1: A\na") == [
        (None, "", "A subtitle"),
        (None, "", "Intro"),
        (1, "A", "a"),
    ]


def test_a_lecture_on_one_line_is_content_whatever_it_begins_with() -> None:
    lecture = "word " * 1000
    text = f"Course Title: T {lecture}"
    assert lessons(text) == [(None, "", text.strip())]
    assert parse(text).course_title.startswith("T word word")
    text = (
        f"Lesson 1: A\nLesson Link: https://x.org {lecture}\nLesson 2: {lecture}\nLesson Link: https://x.org"
    )
    assert lessons(text) == [(1, "A", text.split("\n", 1)[1])]


def test_a_number_twice_stays_twice() -> None:
    text = "Lesson 3: First\na\nLesson 4: Between\nb\nLesson 3: Second\nc"
    assert lessons(text) == [(3, "First", "a"), (4, "Between", "b"), (3, "Second", "c")]


def test_lessons_without_text_are_kept() -> None:
    assert lessons("Lesson 1: A\nLesson 2: B\n\nLesson 3: C") == [(1, "A", ""), (2, "B", ""), (3, "C", "")]


@pytest.mark.parametrize(
    ("line", "number", "title"),
    [
        ("Lesson 0: Introduction", 0, "Introduction"),
        ("LESSON 12 :  Twelve ", 12, "Twelve"),
        ("lesson 3:", 3, ""),
        ("Lesson 3 - Sets", 3, "Sets"),
        ("Lesson 3 — Sets", 3, "Sets"),
        ("Lesson 3. Sets", 3, "Sets"),
        ("Lesson 3) Sets", 3, "Sets"),
        ("Lesson 3", 3, ""),
        ("## Lesson 3: Sets ##", 3, "Sets"),
        ("## Lesson 3", 3, ""),
        ("### Lesson 03 - C#", 3, "C#"),
        ("**Lesson 3: Sets**", 3, "Sets"),
        ("**Lesson 3:** Sets", 3, "Sets"),
        ("**Lesson 3** - *Sets*", 3, "Sets"),
        ("Lesson 3: What is a set, and why?", 3, "What is a set, and why?"),
        ("Lesson 3: sets", 3, "sets"),
        ("  Lesson 3: Sets", 3, "Sets"),
        ("Lesson 3: A*", 3, "A*"),
    ],
)
def test_what_begins_a_lesson(line: str, number: int, title: str) -> None:
    text = f"Course Title: T\nLesson 1: A\nfirst text\n{line}\nsecond text"
    assert lessons(text) == [(1, "A", "first text"), (number, title, "second text")]


@pytest.mark.parametrize(
    "line",
    [
        "In Lesson 3: Sets we saw this.",
        "Lesson 3: as we said above, this is prose.",
        "Lesson 3: as we said above, this goes on",
        "Lesson 3: " + "It has more than twelve words and it ends as sentences do, with a full stop.",
        "Lesson 3: " + "x" * 200,
        "Lesson 3:00 is the time",
        "Lesson 1.2: Sub",
        "Lesson 3 shows this",
        "Lesson 12345: far",
        "Lessons 3: Sets",
        "Lesson three: Sets",
        "- Lesson 3: Sets",
        "```\nLesson 3: Sets\n```",
        "as we said in\nLesson 3. We then went on",
        "as we said in\nLesson 3\nand again",
    ],
)
def test_what_does_not(line: str) -> None:
    text = f"Lesson 1: A\nfirst text\n{line}\nsecond text"
    assert lessons(text) == [(1, "A", f"first text\n{line}\nsecond text")]


def test_a_link_line_makes_a_marker_of_any_line_in_its_form() -> None:
    line = "Lesson 3: as we said above, this is a long title that ends with a stop."
    text = f"text\n{line}\n\n \n**lesson link:** [open](https://x.org/a_(b))\nbody"
    parsed = parse(text)
    assert parsed.lessons[-1].link == "https://x.org/a_(b)"
    assert lessons(text)[-1] == (3, line.removeprefix("Lesson 3: "), "body")


def test_a_link_that_is_none_is_not_content_either() -> None:
    parsed = parse("Lesson 1: A\nLesson Link: javascript:alert(1)\nbody")
    assert parsed.lessons[0].link is None
    assert lessons(parsed.text) == [(1, "A", "body")]


def test_a_link_line_further_down_is_text() -> None:
    assert lessons("Lesson 1: A\nbody\nLesson Link: https://x.org") == [
        (1, "A", "body\nLesson Link: https://x.org")
    ]


def test_a_table_of_contents_is_not_taken_for_the_lessons() -> None:
    contents = "Contents\nLesson 1: A\nLesson 2: B"
    assert lessons(f"Course Title: T\n{contents}\n\nLesson 1: A\na\nLesson 2: B\nb") == [
        (None, "", contents),
        (1, "A", "a"),
        (2, "B", "b"),
    ]


@pytest.mark.parametrize(
    ("value", "link"),
    [
        ("https://example.org/a?b=c#d", "https://example.org/a?b=c#d"),
        ("HTTP://EXAMPLE.ORG", "HTTP://EXAMPLE.ORG"),
        ("<https://example.org>", "https://example.org"),
        ("[text](https://example.org/x)", "https://example.org/x"),
        (" https://example.org/x, or elsewhere", "https://example.org/x"),
        ("ftp://example.org", None),
        ("javascript:alert(1)", None),
        ("file:///etc/passwd", None),
        ("http://", None),
        ("http://[bad", None),
        ("example.org", None),
        ("", None),
    ],
)
def test_web_links(value: str, link: str | None) -> None:
    assert web_link(value) == link


def test_nothing_but_header_markers_and_white_space_is_left_out() -> None:
    """Text of random lines: what lies outside all lessons is always a whole line of a known form."""
    chance = random.Random(7)
    lines = [
        *COURSE.split("\n"),
        *(
            "```",
            "Lesson 2",
            "## Lesson 7. Seven",
            "text that goes on in",
            "# Heading",
            "Lesson 4 - Four",
            "  ",
            "é",
        ),
    ]
    known = re.compile(
        r"\W*(course (title|link|instructor)|lesson link)\W*[:：].*|\W*lesson \d+.*",
        re.IGNORECASE,
    )
    for _ in range(500):
        parsed = parse("\n".join(chance.choices(lines, k=chance.randrange(12))))
        position = 0
        for lesson in (*parsed.lessons, None):
            outside = parsed.text[position : lesson.start if lesson else len(parsed.text)]
            assert all(known.fullmatch(line) for line in outside.split("\n") if line.strip())
            position = lesson.end if lesson else position


def test_a_comment_of_a_makefile_is_no_heading() -> None:
    text = DocumentText("# Compile everything\n\nall: a.o\n")
    assert DocumentProcessor().parse(text, "Makefile").heading == ""
    assert DocumentProcessor().parse(text, "README").heading == "Compile everything"
