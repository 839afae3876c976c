"""Which language a text is in, as far as it matters to compare two texts word by word."""

import re
from collections import Counter

from app.core.documents.text.languages import ENGLISH_WORDS

ENGLISH = "en"
GERMAN = "de"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Besides English, the languages of the courses Lectern has met. Another one counts as unknown, and its
# texts are compared like those of one language.
FUNCTION_WORDS = {
    ENGLISH: _words(ENGLISH_WORDS),
    GERMAN: _words(
        """der die das den dem des ein eine einer eines einem einen und oder aber ist sind war waren wird
        werden wurde wurden hat haben hatte hatten von vom zu zum zur im in an am auf aus bei mit nach für
        über unter durch als wie auch nur noch so sich es er sie wir ihr man dass daß wenn weil da diese
        dieser dieses sein seine seiner ihre ihrer ihren kann können nicht kein keine um bis sowie"""
    ),
    "es": _words(
        """el la los las un una unos unas y o pero es son era eran fue fueron ser ha han había de del al en
        con por para sin sobre entre como más que se su sus lo le les este esta estos estas no también cuando
        desde hasta muy"""
    ),
    "fr": _words(
        """le la les un une des et ou mais est sont était étaient fut a ont avait de du au aux en dans avec
        par pour sur entre comme plus que qui se sa son ses ce cette ces ne pas aussi il elle ils elles on
        d l qu n s"""
    ),
    "it": _words(
        """il lo la gli le uno una e o ma è sono era erano ha hanno di del della dei delle al alla in con per
        su tra come che si suo sua sue questo questa non anche da dal nel nella"""
    ),
    "pt": _words(
        """o os a as um uma e ou mas é são era foi foram ser do da dos das de no na nos nas em com por para
        como mais que se seu sua não também ao aos"""
    ),
}
_WORD = re.compile(r"[^\W\d_]+")
_LOOKED_AT = 4000  # characters
_FEWEST = 2  # function words by which a language is known


def language_of(text: str) -> str:
    """Return the code of the language whose function words the text has most of; "" if there are few."""
    found: Counter[str] = Counter()
    for word in _WORD.findall(text[:_LOOKED_AT].lower()):
        for language, known in FUNCTION_WORDS.items():
            found[language] += word in known
    (language, count), (_, second) = found.most_common(2) if len(found) > 1 else [("", 0), ("", 0)]
    return language if count >= _FEWEST and count > second else ""
