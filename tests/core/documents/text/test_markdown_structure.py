from __future__ import annotations

import pytest

from app.core.documents.text.markdown_structure import fences, heading_marks, plain_inline


def headings(text: str) -> list[tuple[str, str]]:
    """Return (first line at the mark, path) of each heading."""
    return [(text[mark.start :].split("\n")[0], str(mark.anchor.value)) for mark in heading_marks(text)]


def test_the_path_follows_the_levels() -> None:
    text = "# A\n## B\n#### D\n## C\nx\n# E\n### F\n"
    assert headings(text) == [
        ("# A", "A"),
        ("## B", "A › B"),
        ("#### D", "A › B › D"),
        ("## C", "A › C"),
        ("# E", "E"),
        ("### F", "E › F"),
    ]


def test_underlined_headings() -> None:
    text = (
        "Part\n====\n\nintro\n\nChapter\n---\n\ntext\nof a paragraph\n---\n\n- item\n---\n> quote\n---\n---\n"
    )
    assert headings(text) == [("Part", "Part"), ("Chapter", "Part › Chapter")]


@pytest.mark.parametrize(
    "text",
    [
        "```python\n# no\n```\n",
        "~~~~\n# no\n~~~\n# no\n~~~~\n",
        "   ```\n# no\n   ```",
        "```\n# no, the fence is never closed\n",
        "---\ntitle: x\n# no\n---\n",
        "#no\n",
        "####### no\n",
        "    # no\n",
        "#\n##   ##\n",
        "\n---\n",
        "",
    ],
)
def test_what_is_no_heading(text: str) -> None:
    assert heading_marks(text) == ()


def test_headings_around_code_are_found() -> None:
    text = "# A\n```\n# no\n```\n## B\n`` `inline` ``\n### C"
    assert [path for _, path in headings(text)] == ["A", "A › B", "A › B › C"]


def test_headings_read_as_one_reads_them() -> None:
    first = '# The **A** of `x_y_z`: [link](https://example.org "t") ##'
    text = f"{first}\n## C#\n## A* search\n## \ta\u202eb\t c\n"
    paths = [path.split(" › ")[-1] for _, path in headings(text)]
    assert paths == ["The A of x_y_z: link", "C#", "A* search", "ab c"]


def test_endless_headings_are_cut() -> None:
    (mark,) = heading_marks("# " + "word " * 1000)
    assert len(str(mark.anchor.value)) <= 160
    assert str(mark.anchor.value).endswith("word…")


def test_fences_pair_by_sign_and_length() -> None:
    text = "````\n```\n~~~\n````\nx\n~~~ python\n```\n~~~\n"
    assert [text[start:end] for start, end in fences(text)] == [
        "````\n```\n~~~\n````",
        "~~~ python\n```\n~~~",
    ]


def test_a_fence_that_is_never_closed() -> None:
    text = "a\n```\nb\n"
    assert fences(text) == []
    assert fences(text, unclosed=True) == [(2, len(text))]


def test_fences_of_a_part() -> None:
    text = "```\na\n```\n```\nb\n```\n"
    assert fences(text, 10) == [(10, 19)]
    assert fences(text, 0, 9) == [(0, 9)]


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("**bold** and *it* and `code`", "bold and it and code"),
        ("snake_case and 2 * 3 and __init__", "snake_case and 2 * 3 and init"),
        ("A* and B*", "A* and B*"),
        ("![alt](p.png) [t](u)", "alt t"),
        (" two\t\x00 words ", "two words"),
    ],
)
def test_plain_inline(line: str, plain: str) -> None:
    assert plain_inline(line) == plain
