"""The words of a sentence, their stems, which are names or negated; lists of such words."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from app.core.documents.text.languages import ENGLISH, GERMAN, common_words
from app.core.search.terms import tokenize
from app.domain.words import UNSPACED_SIGN, word_set

NEGATIONS = word_set(
    """not no never none nobody nothing nowhere neither nor without cannot hardly
    nicht kein keine keinen keinem keiner keines nie niemals nichts niemand ohne
    nunca jamás ningún ninguno ninguna nada nadie sin
    pas jamais aucun aucune rien sans
    non mai nessun nessuno nessuna niente senza
    não nenhum nenhuma ninguém sem"""
)
# A negation and the word after it that deny nothing.
NOT_NEGATING = frozenset(
    {
        *((first, second) for first in ("not", "isn't", "wasn't") for second in ("only", "just", "merely")),
        *(("no", word) for word in ("doubt", "matter", "wonder")),
        ("nicht", "nur"),
        ("no", "sólo"),
        ("no", "solo"),
        ("non", "solo"),
        ("pas", "seulement"),
    }
)
# Words that deny something themselves; a negated claim may rest on them.
DENIALS = word_set(
    """decline declined refuse refused refuses reject rejected fail failed fails failure deny denied denies
    lack lacks lacked lacking absent absence unable prevent prevents prevented avoid avoids avoided stop stops
    stopped cease ceased cancel cancelled canceled scrap scrapped miss missed missing lose lost except exclude
    excluded excludes prohibit prohibited forbid forbidden ban banned instead rather few little rarely seldom
    unlikely impossible less only unless until different differ differs opposite contrary free remove removed
    ignore ignored ignores skip skipped disagree unchanged incorrect wrong false"""
)
# What is negated does not reach past them.
CLAUSE_WORDS = word_set(
    "but because although though while whereas which who since aber weil sondern pero mais ma"
)
# Words with a capital letter that name nobody.
NAME_PARTICLES = word_set(
    "i mr mrs ms dr prof professor the monday tuesday wednesday thursday friday saturday sunday "
    "january february march april may june july august september october november december "
    "everyone everybody someone somebody anyone people today everything something anything "
    "according additionally lesson lessons lektion lektionen lección lecciones leçon lezione lição"
)

_OPPOSITES = """
    increase decrease|increase reduce|increase lower|increase drop|increase fall|rise fall|rise drop
    raise lower|grow shrink|growth decline|gain lose|gain loss|high low|higher lower|highest lowest
    large small|larger smaller|largest smallest|big small|bigger smaller|biggest smallest|long short
    longer shorter|longest shortest|fast slow|faster slower|fastest slowest|early late|earlier later
    earliest latest|old new|older younger|older newer|oldest youngest|oldest newest|good bad|better worse
    best worst|strong weak|stronger weaker|cheap expensive|cheaper dearer|hot cold|warm cold|warmer colder
    hotter colder|open close|opened closed|open closed|begin end|began ended|start end|started ended
    start finish|start stop|first last|win lose|won lost|accept reject|accepted rejected|accepted declined
    agree disagree|allow forbid|allowed forbidden|allow prevent|allows prevents|include exclude
    included excluded|enable disable|add remove|added removed|north south|northern southern|east west
    eastern western|left right|upper lower|top bottom|inside outside|internal external|positive negative
    maximum minimum|male female|men women|man woman|boy girl|father mother|son daughter|brother sister
    husband wife|before after|more less|more fewer|most least|over under|above below|all none|all some
    every no|always never|always sometimes|often rarely|many few|most few|majority minority|public private
    true false|correct incorrect|possible impossible|active inactive|necessary unnecessary|support oppose
    supported opposed|succeed fail|success failure|successful unsuccessful|married divorced|born died
    import export|input output|north east|south west|same different|similar different|ancient modern
    easy difficult|easier harder|simple complex|deep shallow|wide narrow|thick thin|heavy light
    heavier lighter|full empty|present absent|dominant recessive|optional required|optional mandatory
    temporary permanent|local global|static dynamic|explicit implicit|synchronous asynchronous
    lossy lossless|supervised unsupervised|encode decode|sender receiver|client server|buy sell|lend borrow
    love hate|attack defend|advance retreat|arrive depart|arrived departed|appear disappear|expand contract
    expand shrink|multiply divide|ascending descending|horizontal vertical|former latter|odd even
    daily weekly|weekly monthly|monthly yearly|daily monthly|annual monthly|million billion|million thousand
    million trillion|billion trillion|dozens hundreds|hundreds thousands|thousands millions
    millions billions|each none|both neither|both only|half quarter|half third|twice once|single double
    single multiple
"""


def _opposites() -> frozenset[tuple[str, str]]:
    pairs = (pair.split() for line in _OPPOSITES.strip().splitlines() for pair in line.split("|"))
    both = [(pair[0], pair[1]) for pair in pairs if len(pair) == 2]
    return frozenset(both) | frozenset((second, first) for first, second in both)


OPPOSITES = _opposites()
"""Pairs of words, both ways round, of which a sentence says the one and a false copy of it the other."""

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar jänner enero janvier gennaio janeiro",
            "february feb februar febrero février febbraio fevereiro",
            "march mar märz marzo mars março",
            "april apr abril avril aprile",
            "may mai mayo maggio maio",
            "june jun juni junio juin giugno junho",
            "july jul juli julio juillet luglio julho",
            "august aug agosto août",
            "september sep sept septiembre septembre settembre setembro",
            "october oct oktober okt octubre octobre ottobre outubro",
            "november nov noviembre novembre novembro",
            "december dec dezember dez diciembre décembre dicembre dezembro",
        ),
        1,
    )
    for name in names.split()
}
UNCERTAIN_MONTHS = word_set(
    "may mar mars jan marzo mai march dec sep"
)  # also other words: only beside a number

NUMBER_WORDS: dict[str, float] = {
    name: number
    for number, names in enumerate(
        (
            "zero null cero zéro",
            "one",
            "two zwei dos deux due dois both",
            "three drei tres trois tre três",
            "four vier cuatro quatre quattro quatro",
            "five fünf cinco cinq cinque",
            "six sechs seis sei",
            "seven sieben siete sept sette sete",
            "eight acht ocho huit otto oito",
            "nine neun nueve neuf nove",
            "ten zehn diez dix dieci dez",
            "eleven elf once onze undici",
            "twelve zwölf doce douze dodici doze",
            "thirteen dreizehn trece treize",
            "fourteen vierzehn catorce quatorze",
            "fifteen fünfzehn quince quinze",
            "sixteen sechzehn dieciséis seize",
            "seventeen siebzehn",
            "eighteen achtzehn",
            "nineteen neunzehn",
            "twenty zwanzig veinte vingt venti vinte",
        )
    )
    for name in names.split()
} | {
    name: 10.0 * tens
    for tens, name in enumerate("thirty forty fifty sixty seventy eighty ninety".split(), 3)  # noqa: SIM905
}
NUMBER_WORDS |= {"dozen": 12, "half": 0.5, "twice": 2, "thrice": 3}
AMBIGUOUS_NUMBERS = word_set("one both once null sei due tre dos dix sept dez elf half twice")
"""Number words that are other words too, or leave room: one in a claim is not asked for."""

ORDINAL_WORDS: dict[str, float] = {
    name: number
    for number, name in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "  # noqa: SIM905
        "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(),
        1,
    )
}
SCALES: dict[str, float] = {
    "dozen": 12,
    "hundred": 1e2,
    "thousand": 1e3,
    "k": 1e3,
    "tausend": 1e3,
    "mil": 1e3,
    "mille": 1e3,
    "million": 1e6,
    "millions": 1e6,
    "millionen": 1e6,
    "millones": 1e6,
    "mio": 1e6,
    "mn": 1e6,
    "billion": 1e9,
    "bn": 1e9,
    "milliarden": 1e9,
    "milliards": 1e9,
    "mrd": 1e9,
    "trillion": 1e12,
}

_TIME = "second:1 seconds:1 sec:1 secs:1 s:1 sekunden:1 segundos:1 minute:60 minutes:60 min:60 mins:60 "
_TIME += "minuten:60 minutos:60 hour:3600 hours:3600 hr:3600 hrs:3600 h:3600 stunden:3600 horas:3600 "
_TIME += "day:86400 days:86400 tage:86400 tagen:86400 días:86400 week:604800 weeks:604800 wochen:604800 "
_TIME += "month:2629800 months:2629800 monate:2629800 monaten:2629800 meses:2629800 year:31557600 "
_TIME += "years:31557600 yr:31557600 yrs:31557600 jahre:31557600 jahren:31557600 años:31557600 "
_TIME += "decade:315576000 decades:315576000 century:3155760000 centuries:3155760000 ms:0.001 "
_TIME += "millisecond:0.001 milliseconds:0.001 microseconds:0.000001 nanoseconds:0.000000001"
_LENGTH = "mm:0.001 millimetre:0.001 millimetres:0.001 millimeters:0.001 cm:0.01 centimetres:0.01 "
_LENGTH += "centimeters:0.01 m:1 metre:1 metres:1 meter:1 meters:1 metros:1 km:1000 kilometre:1000 "
_LENGTH += "kilometres:1000 kilometer:1000 kilometers:1000 kilómetros:1000 inch:0.0254 inches:0.0254 "
_LENGTH += "foot:0.3048 feet:0.3048 ft:0.3048 yard:0.9144 yards:0.9144 mile:1609.344 miles:1609.344 "
_LENGTH += "meilen:1609.344 millas:1609.344 nm:0.000000001 nanometers:0.000000001 micrometers:0.000001"
_MASS = "mg:0.001 milligrams:0.001 g:1 gram:1 grams:1 kg:1000 kilogram:1000 kilograms:1000 kilos:1000 "
_MASS += "tonne:1000000 tonnes:1000000 tons:1000000 ton:1000000 ounces:28.35 ounce:28.35 lb:453.6 lbs:453.6"
_DATA = "bit:0.125 bits:0.125 byte:1 bytes:1 kb:1e3 kilobytes:1e3 mb:1e6 megabytes:1e6 gb:1e9 gigabytes:1e9 "
_DATA += "tb:1e12 terabytes:1e12 gigabyte:1e9 megabyte:1e6 terabyte:1e12 kilobyte:1e3"
_SHARE = "%:0.01 percent:0.01 prozent:0.01 pct:0.01 ciento:0.01"


def _units(**dimensions: str) -> dict[str, tuple[str, float]]:
    return {
        name: (dimension, float(factor))
        for dimension, listed in dimensions.items()
        for name, factor in (item.split(":") for item in listed.split())
    }


UNITS = _units(
    time=_TIME,
    length=_LENGTH,
    mass=_MASS,
    data=_DATA,
    share=_SHARE,
    points="percentage:1",
    dollars="$:1 dollar:1 dollars:1 usd:1 dólares:1 cents:0.01 cent:0.01",
    euros="€:1 euro:1 euros:1 eur:1",
    pounds="£:1 gbp:1 sterling:1",
    yen="¥:1 yen:1 yuan:1",
    celsius="°c:1 celsius:1",
    fahrenheit="°f:1 fahrenheit:1",
    volume="ml:0.001 millilitres:0.001 milliliters:0.001 litre:1 litres:1 liter:1 liters:1 gallons:3.785",
    area="acre:4047 acres:4047 hectare:10000 hectares:10000",
    power="watt:1 watts:1 kilowatts:1000 kw:1000 megawatts:1e6 mw:1e6",
    energy="joule:1 joules:1 kilojoules:1000 kj:1000 calories:4.184 kcal:4184 kwh:3.6e6",
    frequency="hz:1 khz:1e3 mhz:1e6 ghz:1e9 hertz:1",
    speed="mph:0.447 kph:0.2778",
)
"""Units by their words: what they measure, and how much of its base unit they are."""

MORE_THAN = word_set("more over above exceeding least minimum")
LESS_THAN = word_set("less fewer under below most maximum up")
HEDGES = word_set(
    "about around approximately roughly nearly almost some circa ca etwa rund ungefähr fast unos casi environ"
)

_WORD = re.compile(
    r"(?P<acronym>(?<!\w)(?:[^\W\d_]\.){2,})|[^\W_]+(?:['’](?:t|re|ve|ll|d|m)\b)?|(?P<clause>[,;:()–—\"“”„«»])"
)
_OPENS_SENTENCE = ('"', "“", "«", "„", ":", "*")
_LONGEST_SCOPE = 2  # content words after a negation
_TITLED = 0.6  # share of words with a capital letter from which on one says nothing


@dataclass(frozen=True, slots=True)
class Word:
    text: str  # as written
    stem: str
    start: int  # of its first character in the sentence
    is_content: bool  # tells something about the subject
    is_name: bool
    is_first: bool  # of its sentence, where every word has a capital letter
    negation: int = 0  # n: the sentence's nth negation denies it; -n: it is that negation

    @property
    def may_be_name(self) -> bool:
        """Whether it has a capital letter where not every word has one, if only as German nouns have."""
        return self.is_content and self.text[0].isupper() and not self.is_first

    @property
    def is_denied(self) -> bool:
        return self.negation > 0


class Stems:
    """The stems of words, looked up together: one by one takes ten times as long."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def learn(self, texts: Iterable[str]) -> None:
        unknown = {
            lower
            for text in texts
            for found in _WORD.finditer(text)
            if not found["clause"] and (lower := found.group().lower()) not in self._known
        }
        words = sorted(unknown)
        stems: dict[int, str] = {}
        for index, stem in tokenize([word.replace(".", "") for word in words]):
            stems.setdefault(index, stem)
        self._known.update({word: stems.get(index, word) for index, word in enumerate(words)})

    def __getitem__(self, word: str) -> str:
        lower = word.lower()
        return self._known.get(lower, lower)


def words_of(text: str, stems: Stems, language: str) -> tuple[Word, ...]:
    """Return the words of one sentence, which ``stems`` must have learned."""
    found = list(_WORD.finditer(text))
    titled = language == GERMAN or _is_titled([match.group() for match in found if not match["clause"]])
    function_words = common_words(language) or common_words(ENGLISH)
    words: list[Word] = []
    scope = negations = 0  # content words that are still negated, negations so far
    for at, match in enumerate(found):
        written, lower = match.group(), match.group().lower().replace("’", "'")
        if match["clause"] or lower in CLAUSE_WORDS:
            scope = 0
        if match["clause"]:
            continue
        if UNSPACED_SIGN.search(written):  # pairs of characters stand for words
            words += _pairs(written, match.start())
            continue
        following = found[at + 1].group().lower() if at + 1 < len(found) else ""
        is_content = lower not in function_words and "'" not in lower and lower not in NEGATIONS
        negation = negations if scope and is_content else 0
        scope -= negation > 0
        if (lower in NEGATIONS or lower.endswith("n't")) and (lower, following) not in NOT_NEGATING:
            scope = _LONGEST_SCOPE
            negations += 1
            negation = -negations
        is_first = not words or text[: match.start()].rstrip().endswith(_OPENS_SENTENCE)
        is_name = is_content and _is_name(written, is_first=is_first, titled=titled)
        words.append(Word(written, stems[written], match.start(), is_content, is_name, is_first, negation))
    return tuple(words)


def _is_titled(words: list[str]) -> bool:
    """Whether so many words have a capital letter, as in a heading, that it does not show names."""
    return len(words) > 3 and sum(word[0].isupper() for word in words) > _TITLED * len(words)


def _is_name(written: str, *, is_first: bool, titled: bool) -> bool:
    if len(written) > 1 and any(letter.isupper() for letter in written[1:]):
        return not (titled and written.isupper())
    starts = written[0].isupper() and written.lower() not in NAME_PARTICLES
    return starts and not is_first and not titled


def _pairs(written: str, start: int) -> list[Word]:
    return [
        Word(pair, pair, start + at, is_content=True, is_name=False, is_first=False)
        for at in range(max(1, len(written) - 1))
        for pair in (written[at : at + 2],)
    ]
