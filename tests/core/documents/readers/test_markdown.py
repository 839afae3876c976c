"""What is read from Markdown: the text a page shows, with the signs of its structure."""

from __future__ import annotations

import pytest

from app.core.documents.readers.markdown import read_markdown
from app.domain.documents import Anchor


def text_of(source: str) -> str:
    return read_markdown(source.encode()).text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("See [the *docs*](https://x.org/a_(b)?c=1 'Docs') and [more](<b c>).", "See the *docs* and more."),
        ("See [the\ndocs][d], [d][] or a[i][j].\n\n[d]: https://x.org 'T'\n", "See the\ndocs, d or a[i][j]."),
        ("[![Build status](https://x.org/b.svg)](https://x.org)\nText", "\nText"),
        ("![A cell divides in two](img/cell.png){width=50%}", "[Picture: A cell divides in two]"),
        ("![img/a nice cell.png](img/cell.png)End", "End"),
        ("<p><img src='a.png' alt='Two cells that divide'></p>", " [Picture: Two cells that divide] "),
        ("Read [[Mitosis]], [[02 Cells|cells]].![[cell.png]]", "Read Mitosis, cells."),
        ("A note.[^1]\n\n[^1]: It says so.", "A note.[^1]\n\n[^1]: It says so."),
        ("a<!-- TODO: [x](y) -->b <!-- open", "ab <!-- open"),
        ("Use `<!-- x -->`, `[a](b)` and `<b>`.", "Use `<!-- x -->`, `[a](b)` and `<b>`."),
        ("H<sub>2</sub>O &amp; <em>ice</em>, 1 &lt; 2", "H2O & *ice*, 1 < 2".replace("*", "")),
        ("if a < b and c > d: List<String> or <Name>", "if a < b and c > d: List<String> or <Name>"),
        ("| a<br>b | c |", "| a b | c |"),
        (
            "Before\n<table><tr><th>Bird</th><th>km</th></tr><tr><td>Swift</td><td>9000</td></tr></table>\nAfter",
            "Before\n\n| Bird | km |\n| Swift | 9000 |\n\nAfter",
        ),
        ("`<table>` holds rows,\n\n`</table>` ends it.", "`<table>` holds rows,\n\n`</table>` ends it."),
        ("# Cells {#sec-cells .unnumbered}\n\n::: {.callout-note}\nMind it.\n:::\n", "# Cells\n\nMind it."),
        ("{{< video https://x.org >}}\n{% include toc.html %}\nText", "\nText"),
        (
            "import Tabs from '@theme/Tabs';\n\n<Tabs a=\"b\">\n<TabItem v='a'>Press F.</TabItem>\n</Tabs>",
            "\nPress F.\n",
        ),
        (
            "```{note} Mind the gap\n:class: dropdown\nIt is [wide](w.md).\n```\nNext",
            "Mind the gap\n\nIt is wide.\n\nNext",
        ),
        ("```{hint} The gap\n---\nclass: tip\n---\nIt is wide.\n```\nNext", "The gap\n\nIt is wide.\n\nNext"),
        ("Lesson Link: [here](https://x.org/1)", "Lesson Link: [here](https://x.org/1)"),
        ("$a <b> c$ and $5, [six](6) or $7", "$a <b> c$ and $5, six or $7"),
        ("<h2 align='center'><b>Ice</b></h2>\nIt moves.", "## Ice\n\nIt moves."),
    ],
)  # fmt: skip
def test_a_page_without_what_it_does_not_show(source: str, text: str) -> None:
    assert text_of(source).strip("\n") == text.strip("\n")


def test_code_and_front_matter_stay_as_they_are() -> None:
    source = "---\ntitle: '[A](b)'\n---\n```html\n<b>[a](b)</b> <!-- c -->\n```\n"
    source += "- x\n\n    ```{r}\n    [1]: a\n    ```\n"
    assert text_of(source) == source


def test_embedded_pictures_are_no_text() -> None:
    data = "data:image/png;base64," + "iVBORw0KGgo" * 20_000
    assert text_of(f"A\n\n![]({data})\n\n![][p]\n\n<img src='{data}'/>\n\n[p]: <{data}>\nB").split() == [
        "A",
        "B",
    ]
    assert len(text_of(f"```css\nurl({data})\n```")) < 40


def test_headings_are_anchors_in_their_plain_form() -> None:
    document = read_markdown(b"# [Cells](c.md) <a name='c'></a>\n\nText\n\n## Parts {#p}\nMore\n")
    assert [(document.text[mark.start :].split("\n")[0], mark.anchor) for mark in document.marks] == [
        ("# Cells ", Anchor("heading", "Cells")),
        ("## Parts", Anchor("heading", "Cells › Parts")),
    ]
