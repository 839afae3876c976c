"""Which language a text is in, and the words that each language shares."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from app.core.documents.text.languages import (
    certain_language_of,
    common_words,
    has_stems,
    language_of,
    stem_of,
)

TEXTS = {
    "en": "Sourdough is flour and water in which wild yeast lives. It is fed once a day.",
    "de": "Sauerteig besteht aus Mehl und Wasser, in dem wilde Hefen leben. Er wird täglich gefüttert.",
    "es": "La masa madre es harina y agua en la que viven levaduras salvajes.",
    "fr": "Le levain est un mélange de farine et d'eau où vivent des levures sauvages.",
    "pl": "Zakwas to mąka i woda, w której żyją dzikie drożdże.",
    "ja": "サワードウは小麦粉と水から作られ、野生の酵母が生きています。",
}


@pytest.mark.parametrize("language", TEXTS)
def test_the_language_of_a_text_is_known(language: str) -> None:
    assert language_of(TEXTS[language]) == language


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Wie lange ruht der Teig?", "de"),
        ("How long does the dough rest?", "en"),
        ("¿Cuánto tiempo reposa la masa?", "es"),
        ("WIE LANGE RUHT DER TEIG?", "de"),
    ],
)
def test_so_is_that_of_a_question(question: str, language: str) -> None:
    assert language_of(question) == language


@pytest.mark.parametrize("text", ["gradient descent", "- Java\n- Python\n- Rust", "42 kg"])
def test_what_may_be_in_several_is_in_none_for_certain(text: str) -> None:
    assert certain_language_of(text) == ""
    assert certain_language_of(TEXTS["de"]) == "de"


def test_half_a_character_does_no_harm() -> None:
    assert language_of(TEXTS["de"] + " \ud800") == "de"


@pytest.mark.parametrize("text", ["", " \n", "12345 678", "§§ 3.4"])
def test_what_has_no_words_is_in_none(text: str) -> None:
    assert language_of(text) == ""


def test_a_header_in_another_language_than_the_text_does_not_decide() -> None:
    header = "Course Title: Baking\nCourse Link: https://example.org\nCourse Instructor: Jane Smith\n\n"
    assert language_of(header + TEXTS["de"] * 100) == "de"


def test_common_words_are_those_of_the_language() -> None:
    assert {"welche", "werden", "der"} <= common_words("de")
    assert {"which", "was", "the"} <= common_words("en")
    assert not common_words("")
    assert not common_words("tlh")


def test_forms_of_a_word_share_a_stem() -> None:
    assert stem_of("hauser", "de") == stem_of("hauses", "de") == "haus"
    assert stem_of("canciones", "es") == stem_of("cancion", "es")
    assert not has_stems("ja")
    assert stem_of("酵母", "ja") == "酵母"


def test_threads_do_not_disturb_each_other() -> None:
    words = ["regierungen", "gemeinden", "ordnungen", "leistungen"] * 200
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda word: (language_of(TEXTS["de"]), stem_of(word, "de")), words))
    assert set(found) == {("de", "regier"), ("de", "gemeind"), ("de", "ordnung"), ("de", "leistung")}
