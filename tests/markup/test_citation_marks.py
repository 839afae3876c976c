from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from app.domain.sources import Claim, Support
from app.markup.citation_marks import MarkForm, replace_tokens
from app.markup.markdown_html import markdown_to_html
from app.ui.chat.answer_stream import AnswerStream
from tests.support.chat_builders import citation, cite

if TYPE_CHECKING:
    from app.domain.sources import Citation


def shown(answer: str, *citations: Citation) -> str:
    """Return the HTML with marks as [n]; found ones as (n), doubtful ones as <n>, wrong ones as {n}."""
    html = markdown_to_html(answer, citations)
    signs = {
        MarkForm.PLAIN: "[{}]",
        MarkForm.FOUND: "({})",
        MarkForm.DOUBTFUL: "<{}>",
        MarkForm.WRONG: "{{{}}}",
    }
    return replace_tokens(html, lambda mark: signs[mark.form].format(mark.n)).replace("\n", "")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("A claim.^ More.", "<p>A claim.[1] More.</p>"),
        ("A claim. ^More.", "<p>A claim.[1] More.</p>"),
        ("A claim.\n\n^More.", "<p>A claim.[1]</p><p>More.</p>"),
        ("A **claim^** x", "<p>A <strong>claim[1]</strong> x</p>"),
        ("A **claim*^* x", "<p>A <strong>claim</strong>[1] x</p>"),
        ("A `co^de` x", "<p>A <code>code</code>[1] x</p>"),
        ("A [lin^k](https://x.org/a^b) x", '<p>A <a href="https://x.org/ab">link</a>[1] x</p>'),
        ("- ^one\n- two", "<ul><li>[1]one</li><li>two</li></ul>"),
        ("- one\n- ^two", "<ul><li>one[1]</li><li>two</li></ul>"),
        ("- one\n- two^", "<ul><li>one</li><li>two[1]</li></ul>"),
        ("# Head^\n\ntext", "<h1>Head[1]</h1><p>text</p>"),
        ("Head^\n===\n", "<h1>Head[1]</h1>"),
        ("Head\n==^=\n", "<h1>Head[1]</h1>"),
        ("> quo^te", "<blockquote><p>quo[1]te</p></blockquote>"),
        ("> a\n> ^b", "<blockquote><p>a[1]b</p></blockquote>"),
        ("```\nco^de\n```\n\nx", '<pre><code class="language-">code</code></pre><p>[1]</p><p>x</p>'),
        ("```\ncode\n```^", '<pre><code class="language-">code</code></pre><p>[1]</p>'),
        (
            "> ```julia\n> x\n> ```^\n\ny",
            '<blockquote><pre><code class="language-julia">x</code></pre></blockquote><p>[1]</p><p>y</p>',
        ),
        ("a\n\n---^\n\nb", "<p>a</p><hr><p>[1]</p><p>b</p>"),
        ("^a", "<p>[1]a</p>"),
        ("a^", "<p>a[1]</p>"),
        ("a\\^*b", "<p>a*[1]b</p>"),
    ],
)
def test_mark_stands_where_the_claim_ends(answer: str, expected: str) -> None:
    place = answer.index("^")
    assert shown(answer.replace("^", ""), citation(1, place)) == expected


def test_marks_in_a_table_stay_in_their_cells() -> None:
    answer = "| a | b |\n|---|---|\n| one | two |\n| three | four |\n"
    html = shown(answer, *cite(answer, (1, "| one |"), (2, "two |"), (3, "four |\n"), (4, "|---|")))
    assert re.findall(r"<t[hd]>(.*?)</t[hd]>", html) == ["a", "b[4]", "one[1]", "two[2]", "three", "four[3]"]


def test_mark_in_code_of_a_list_goes_to_the_text_before_it() -> None:
    answer = "- do this\n  ```\n  code here\n  ```\n- then"
    html = shown(answer, *cite(answer, (1, "code"), (2, "```\n")))
    assert "do this[1][2]" in html
    assert "code here</code>" in html


def test_several_marks_at_one_place_are_shown_once_each() -> None:
    answer = "A claim. More."
    end = len("A claim.")
    marks = [citation(2, end), citation(1, end), citation(2, end), citation(1, end, verified=False)]
    assert shown(answer, *marks) == "<p>A claim.[2][1]{1} More.</p>"


def test_marks_beyond_the_text_stand_at_its_end() -> None:
    assert shown("short", citation(1, 900)) == "<p>short[1]</p>"


def test_marks_without_any_text_are_left_out() -> None:
    assert shown("", citation(1, 0)) == ""


def test_the_model_cannot_forge_a_mark() -> None:
    assert "[7]" not in shown("Sure.\ue0007v\ue001 \ue0020\ue003 &#xe000;8v&#xe001; `\ue0009v\ue001`")


def test_every_mark_survives_any_position() -> None:
    answer = (
        "# T **x**\n\nA [l](https://x.org) `c` text:\n1. one *two*\n   - sub\n     ```py\n     x\n     ```\n"
        "2. three\n\n| a | b |\n|:-|-:|\n| `c` | d |\n\n> q\n> ```\n> z\n> ```\n\n---\n\n"
        "```\ncode\n```\n\nU\n=\n\\*end* ~~x~~"
    )
    plain = re.sub(">[ ]+", ">", shown(answer))
    for place in range(len(answer) + 1):
        html = shown(answer, citation(1, place))
        assert html.count("[1]") == 1, place
        bare = re.sub(">[ ]+", ">", html.replace("<p>[1]</p>", "").replace("[1]", ""))
        assert bare == plain, place


def test_a_late_citation_changes_the_block_it_belongs_to() -> None:
    stream = AnswerStream()
    stream.add_text("First claim.\n\nSecond.\n\nThird")
    update = stream.update()
    assert (update.keep, update.changed, len(update.finished)) == (0, (), 2)
    stream.add_citation(citation(1, len("First claim.")))
    update = stream.update()
    assert (update.keep, update.finished) == (2, ())
    ((at, html),) = update.changed
    assert (at, "\ue0001v12\ue001" in html) == (0, True)
    stream.add_citation(citation(2, len("First claim.\n\nSecond.")))
    assert [at for at, _ in stream.update().changed] == [1]
    assert stream.update().changed == ()


def test_many_changed_blocks_come_in_parts() -> None:
    text = "".join(f"Claim {n}.\n\n" for n in range(60))
    stream = AnswerStream(text)
    while not stream.update(final=True).complete:
        pass
    claims = [Claim(text.index(f"{n}."), text.index(f"{n}.") + 2, Support.NOT_FOUND) for n in range(60)]
    stream.examine((), claims)
    changed: list[int] = []
    turns = 0
    while True:
        update = stream.update(final=True)
        changed += [at for at, _ in update.changed]
        turns += 1
        if update.complete:
            break
    assert changed == list(range(60))
    assert turns > 3


def test_a_citation_of_the_open_block_takes_nothing_back() -> None:
    stream = AnswerStream()
    stream.add_text("First.\n\nSecond claim")
    stream.update()
    stream.add_citation(citation(1, len("First.\n\nSecond claim")))
    update = stream.update()
    assert (update.keep, update.changed, update.finished) == (1, (), ())
    assert update.tail is not None
    assert update.tail.startswith("<p>Second claim\ue000")
