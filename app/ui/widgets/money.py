"""Sums of money as they are shown."""

from __future__ import annotations

_SMALLEST = 0.001


def dollars(amount: float) -> str:
    """Return US dollars, with as many digits as tell something: ``$0.003``, ``$1.20``."""
    if 0 < amount < _SMALLEST:
        return f"< ${_SMALLEST}"
    return f"${amount:.3f}" if 0 < amount < 0.1 else f"${amount:.2f}"
