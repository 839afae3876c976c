"""What is said out of courtesy: there is nothing to search for, and its answer needs no source."""

import re

_COURTESIES = """
    bye cheers cool good goodbye great hello hey hi nice ok okay perfect please super thank thanks welcome
    wow yes bitte danke dank guten hallo servus tschüss adiós buenas buenos gracias hola bonjour bonsoir merci
    salut ciao grazie
"""
# What goes with them, but means something else alone.
_BESIDE_THEM = """
    a again all and are at did do for have i in is it me my no not now of so that the there this to very was
    with you your afternoon day evening everyone lot morning much night well abend dir morgen nacht sehr schön
    tag und vielen días muchas noches tardes beaucoup jour
"""
_POLITE = frozenset(_COURTESIES.split())
_KNOWN = _POLITE.union(_BESIDE_THEM.split())
_WORD = re.compile(r"[^\W_]+")


def is_courtesy(question: str) -> bool:
    """Return whether nothing is asked, as in "Thanks!", but not in "OK, and why?"."""
    words = set(_WORD.findall(question.casefold()))
    return words <= _KNOWN and (not words or not words.isdisjoint(_POLITE))
