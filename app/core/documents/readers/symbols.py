"""Signs of symbol fonts as Unicode.

Office writes them as U+F000 plus the sign's place in its font, or as the letter at this place of Latin-1:
an "à" in Wingdings is an arrow.
"""

from __future__ import annotations

_SYMBOL = {
    0x20: " !∀#∃%&∍()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
    0xA0: "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪",
    0xF1: "⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭",
}
# Of Wingdings only what says something; its other signs are bullets and ornaments.
_WINGDINGS = {0x20: " ", 0x4A: "☺😐☹", 0xDF: "←→↑↓↖↗↙↘←→↑↓", 0xEF: "⇦⇨⇧⇩⇔⇕", 0xFB: "✗✓☒☑"}


def _by_place(rows: dict[int, str]) -> dict[int, str]:
    return {first + index: sign for first, row in rows.items() for index, sign in enumerate(row)}


_SIGNS = {"symbol": _by_place(_SYMBOL), "dings": _by_place(_WINGDINGS)}
_ORNAMENT = "•"


def is_symbol_font(font: str | None) -> bool:
    return any(part in (font or "").lower() for part in _SIGNS)


def readable(text: str, font: str | None = None, *, sign_font: str | None = None) -> str:
    """Return the text of a run as Unicode.

    Args:
        text: as the file has it.
        font: of all its characters.
        sign_font: of those that stand for signs: some of private use, or a letter beyond ASCII on its own.
    """
    if text.isascii() and not is_symbol_font(font):
        return text
    is_all = is_symbol_font(font) or (is_symbol_font(sign_font) and len(text.strip()) == 1)
    name = (font if is_symbol_font(font) else sign_font) or ""
    signs = _SIGNS["dings" if "dings" in name.lower() else "symbol"]

    def sign(character: str) -> str:
        place = ord(character)
        if 0xF020 <= place <= 0xF0FF:
            return signs.get(place - 0xF000, _ORNAMENT)
        return signs.get(place, _ORNAMENT) if is_all and 0x20 <= place <= 0xFF else character

    return "".join(map(sign, text))
