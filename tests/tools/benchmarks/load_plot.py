"""Draws what many readers get of a server: searches a second, and how long they take, as SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

_WIDTH, _HEIGHT, _TOP, _BOTTOM, _LEFT = 1080, 340, 56, 76, 48
_BAR = 31
_SERIES = (("p50_ms", "median", "#1f6feb"), ("p95_ms", "p95", "#d29922"), ("p99_ms", "p99", "#b35900"))


def plotted(phases: Sequence[dict[str, Any]], passages: int) -> str:
    """Return the picture: two panels, a group of bars for each phase."""
    half = _WIDTH // 2
    rate = _panel(phases, (("per_second", "", "#1a7f5a"),), 0, half, "searches a second")
    times = _panel(phases, _SERIES, half, half, "milliseconds a search")
    title = f"{passages:,} passages on one Chroma server, readers on the same machine"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'width="{_WIDTH}" height="{_HEIGHT}" font-family="sans-serif" font-size="12">\n'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>\n'
        f"{_text(_WIDTH / 2, 20, title, bold=True)}\n{rate}\n{times}\n</svg>\n"
    )


def _panel(
    phases: Sequence[dict[str, Any]],
    series: Sequence[tuple[str, str, str]],
    left: int,
    width: int,
    title: str,
) -> str:
    most = max((phase[name] for phase in phases for name, _, _ in series), default=0) or 1
    floor, height = _HEIGHT - _BOTTOM, _HEIGHT - _BOTTOM - _TOP - 24
    group = (width - _LEFT) / len(phases)
    parts = [_text(left + width / 2, _TOP - 12, title)]
    parts.append(f'<path d="M{left + _LEFT / 2} {floor}H{left + width - 16}" stroke="#888888"/>')
    for place, phase in enumerate(phases):
        middle = left + _LEFT / 2 + group * (place + 0.5)
        first = middle - _BAR * len(series) / 2
        for number, (name, _, colour) in enumerate(series):
            tall = height * phase[name] / most
            x = first + number * _BAR
            parts.append(
                f'<rect x="{x + 1:.0f}" y="{floor - tall:.1f}" width="{_BAR - 2}" height="{tall:.1f}" '
                f'fill="{colour}"/>'
            )
            parts.append(_text(x + _BAR / 2, floor - tall - 4, _shown(phase[name]), small=True))
        parts.append(_text(middle, floor + 16, _readers(phase["readers"])))
        how = f"each {phase['pause']:.0f} s" if phase["pause"] else "at once"
        parts.append(_text(middle, floor + 29, how if phase["words"] else f"{how}, no words", small=True))
        if phase["publishes"]:
            parts.append(_text(middle, floor + 42, "+ publisher", small=True))
    for number, (_, name, colour) in enumerate(series):
        if name:
            x = left + _LEFT + number * 80
            parts.append(f'<rect x="{x}" y="{_HEIGHT - 20}" width="10" height="10" fill="{colour}"/>')
            parts.append(_text(x + 38, _HEIGHT - 11, name))
    return "\n".join(parts)


def _shown(value: float) -> str:
    return f"{value:.1f}" if value < 10 else f"{value:,.0f}"


def _readers(count: int) -> str:
    return f"{count} reader" if count == 1 else f"{count} readers"


def _text(x: float, y: float, text: str, *, bold: bool = False, small: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    size = ' font-size="10"' if small else ""
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="middle"{weight}{size} fill="#222222">{text}</text>'
