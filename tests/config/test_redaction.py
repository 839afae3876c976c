"""A key is hidden in a text that comes in pieces, however it is cut and however it is written."""

from __future__ import annotations

import base64
import random
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from app.config.redaction import TOKEN_VARIABLE, KeyFilter, hide_key, is_secret, redact

if TYPE_CHECKING:
    from collections.abc import Callable

KEY = "sk/planted+4f1c9a7e=55d0"
SPELLINGS = {
    "plain": KEY,
    "in a URL": quote(KEY, safe=""),
    "in hexadecimal": KEY.encode().hex(),
    "percent by percent": "".join(f"%{byte:02X}" for byte in KEY.encode()),
}


def filtered(key: str, pieces: list[str]) -> str:
    hiding = KeyFilter(key)
    return "".join(map(hiding.write, pieces)) + hiding.finish()


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_a_key_is_hidden_wherever_it_is_cut(spelling: str) -> None:
    for at in range(len(spelling)):
        pieces = ["It is ", spelling[:at], spelling[at:], "."]
        assert filtered(KEY, pieces) == "It is [key hidden]."
    assert filtered(KEY, list(f"It is {spelling}.")) == "It is [key hidden]."


@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
@pytest.mark.parametrize("before", [b"", b"k", b"k=", b"key", b"key="])
@pytest.mark.parametrize("after", [b"", b"&", b"&&", b"&&&"])
def test_a_key_is_hidden_in_base64_wherever_it_begins(
    encode: Callable[[bytes], bytes], before: bytes, after: bytes
) -> None:
    text = encode(before + KEY.encode() + after).decode()
    assert "[key hidden]" in hide_key(text, KEY)
    shown = filtered(KEY, list(text))
    assert "[key hidden]" in shown
    assert len(shown) < len(text)


@pytest.mark.parametrize("seed", range(50))
def test_nothing_else_is_changed(seed: int) -> None:
    chance = random.Random(seed)
    pieces = [KEY[: chance.randrange(9)] + chance.choice(["", " ", "s"]) for _ in range(20)]
    shown = filtered(KEY, pieces)
    assert shown == "".join(pieces) or shown.endswith("[key hidden]")  # it ended like the key begins


def test_half_a_key_at_the_end_is_hidden_and_a_letter_is_not() -> None:
    assert filtered(KEY, ["It is ", KEY[:-2]]) == "It is [key hidden]"
    assert filtered(KEY, ["Ask", "s", "sk"]) == "Askssk"


@pytest.mark.parametrize("word", ["ollama", "none", "sk-no-key-required", "lm-studio", ""])
def test_a_word_that_stands_for_a_key_is_not_hidden_in_answers(word: str) -> None:
    assert filtered(word, [f"Install {word} first."]) == f"Install {word} first."


@pytest.mark.parametrize(
    "text",
    [
        "The request has Authorization: Bearer a+b/c~d.e-f_g== and more",
        "x-chroma-token: a+b/c~d and more",
        "The key ck-8fWcQ2LzVnTgYb71 of Chroma's cloud and more",
    ],
)
def test_what_looks_like_the_token_of_a_server_is_hidden(text: str) -> None:
    shown = redact(text)
    assert "[key hidden]" in shown
    assert shown.endswith(" and more")
    assert not {"a+b/c~d", "ck-8fWcQ2LzVnTgYb71"} & set(shown.replace("Bearer ", "").split())


def test_the_token_in_the_environment_is_hidden_and_kept_from_other_programs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, "tide-and-moon")
    assert redact("Sent with tide-and-moon.") == "Sent with [key hidden]."
    assert is_secret(TOKEN_VARIABLE, "tide-and-moon")
    monkeypatch.setenv(TOKEN_VARIABLE, "tide")
    assert redact("The tide rises.") == "The tide rises.", "too short to be taken for a token"
