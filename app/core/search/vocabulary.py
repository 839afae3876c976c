"""The terms of libraries on servers: what the full-text index is for the own library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.core.search.terms import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.core.search.shelf import ShelfView, Terms


class SharedWords:
    """The terms of all libraries on servers that a search reaches; false without any.

    ``chosen`` are those of what the filter passes of each, where its view does not know them.
    """

    def __init__(self, views: Sequence[ShelfView], chosen: Sequence[Terms] | None = None) -> None:
        self._views = views
        self._chosen = [view.chosen for view in views] if chosen is None else chosen
        self.passages = sum(view.passages for view in views)
        self.languages = frozenset(language for view in views for language in view.languages)

    def __bool__(self) -> bool:
        return bool(self._views)

    def count(self, terms: Iterable[str]) -> int:
        """Return in how many passages one of different terms stands, or more where several do."""
        return sum(min(sum(map(view.terms.count, terms)), view.passages) for view in self._views)

    def beginning(self, begin: str) -> set[str]:
        """Return all terms that begin so."""
        return {term for view in self._views for term in view.terms.beginning(begin)}

    def pass_filter(self, terms: Iterable[str]) -> bool:
        """Return whether one of the terms stands in what the filter passes."""
        return any(chosen.count(term) for chosen in self._chosen for term in terms)

    def stands(self, word: str, *, begins: bool) -> bool:
        """Return whether a word stands there, or with ``begins`` one that begins so."""
        if not self._views:
            return False
        terms = [term for _, term in tokenize([word])]
        if begins:
            return any(chosen.beginning(term) for chosen in self._chosen for term in terms)
        return bool(terms) and self.pass_filter(terms)


NO_WORDS = SharedWords(())
