"""Finds sentences as exact spans of a text: the units of passages and citations.

Rules, not a model: the same text always gives the same spans, in linear time.

First the text is cut into blocks. A blank line ends one; a heading, a line of code, a table row, a rule and
a list item begin their own, whatever the file's format. Any other newline is only white space, since
transcripts are hard-wrapped. Then prose is cut at stops that end a sentence.
"""

import re
from collections.abc import Iterator

from app.core.documents.text.markdown_structure import Span, fences, lines, skip_space, trimmed
from app.domain.words import UNSPACED_SIGN, word_set, words_in

_WIDE = "。！？｡؟۔।॥"  # of scripts that put no white space after a stop
_STOPS = ".!?…" + _WIDE
_CLOSERS = "\"'”’»)\\]*_`~」』）》】"
# A run of stops with what closes after it. Possessive, and only from a run's first stop on, so that no run
# is scanned twice; the set comes first since the engine then leaps from stop to stop.
_STOP = re.compile(
    rf"(?P<run>[{_STOPS}](?<![{_STOPS}][{_STOPS}])[{_STOPS}]*+)"
    rf"(?P<close>(?:[{_CLOSERS}]|\[\d{{1,3}}\])*+(?:[ \n\u00a0\u202f]»(?=\s))?)"
    rf"(?:(?=\s)|(?<=[{_WIDE}」』）》】”’\"')]))"
)
_END = re.compile(rf"[{_STOPS}][{_CLOSERS}]*$")
_LONGEST_END = 12
_OPENERS = "\"'“‘«‹„¿¡([{*_`~"
_NEXT = re.compile(rf"[{re.escape(_OPENERS)}]*(?P<word>[^\W_]+(?:['’][^\W\d_]+)?)?(?P<stop>\.)?")
_ACRONYM = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,3}")
_ENUMERATOR = re.compile(r"\d{1,3}|[A-Za-z]|[IVXLC]{1,6}|[ivxlc]{1,6}")
_VOWEL = re.compile(r"[^\x00-\x7f]|[aeiouy]")
_TOKEN_LOOKED_AT = 32

_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
ITEM = re.compile(r"[ \t]*(?:[-*+•◦▪‣·][ \t]+(?=\S)|(?P<number>\(?(?:\d{1,3}|[A-Za-z])[.)])[ \t]+(?=\S))")
_FIRST_NUMBERS = frozenset({"1.", "1)", "(1)", "0.", "a)", "A)", "(a)", "(A)"})
_FEW_WORDS = 4  # of a sentence, at least
_HEADING_WORDS = 7  # of a line without a stop
_LETTERS = 0.6  # share of a sentence's signs; less have code, tables and formulas that a PDF took apart
NO_SENTENCE = re.compile(r"\s*(?:#|\||```|~~~|!\[|\$\$|\\begin|\\\[|<[a-z/!]|//)")
_ENDS_OPEN = ("?", ":", "{", ";", ",")


# Words, mostly abbreviations, in lower case and without the last stop. The lists need not be complete: a
# sentence cut at an abbreviation is still found and cited.
# Never at a sentence's end.
NEVER_LAST = word_set(
    # English: something always follows
    "mr mrs ms mx messrs dr drs prof profs e.g eg i.e ie cf vs viz fig figs eq eqs eqn eqns ref refs "
    "ft thm lem approx incl excl resp esp dept pp vols nos chs secs "
    # German, French, Spanish, Italian, Portuguese
    "bzw vgl ca z.b d.h u.a z.t s.o hrsg bspw sog evtl ggf inkl exkl abb nr kap mme mlle p.ex "
    "sra srta dra núm pág págs p.ej sig dott pag"
)
# Before a name if they begin with a capital letter: "Gen. Lee", but "of this gen. Then".
TITLES = word_set(
    "gen col capt cmdr lt maj sgt cpl adm rep sen gov rev hon pres sr fr br mt ft pvt supt insp"
)
# Not at a sentence's end if a number follows: "No. 5", "Sec. 2", "Jan. 3".
BEFORE_NUMBER = word_set(
    "no nos nr art sec sect ch chap p pp par para pt vol bk ex exx prop def cor lemma tab app ser sess "
    "op fol l ll n nn v vv s ss c lec cap "
    "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun"
)
# At a sentence's end only if the next word is a starter.
MAYBE_LAST = word_set(
    "etc inc ltd corp co bros llc plc gmbh jr sr esq st ave blvd rd mt a.m p.m am pm b.c a.d b.c.e c.e "
    "al ed eds est min max avg std var misc orig temp univ govt assoc asst intl natl tel ext cont trans "
    "hr hrs sq cu oz lb lbs vol fig tbsp tsp usw uvm usf mio mrd std jh jhd str lit chr uu "
    "calif mass penn conn mich minn tenn wash ariz colo fla ga ill ind kan ky la md mo neb nev okla ore va "
    "vt wis"
)
# They begin sentences more often than they follow an abbreviation.
STARTERS = word_set(
    "the a an this that these those it its it's he she they we you i i'm i've i'll we'll we're we've let's "
    "you'll you're there's that's here's he's she's they're our my his her their your there here "
    "in on at for from with by to of when while if unless but and or nor so then now next first second "
    "third finally however moreover furthermore therefore thus hence also instead still yet as after "
    "before since although though because during until what who whom whose why how where which whether "
    "let please note yes no not all any some many most much more one two each every both either another "
    "such other others even only just maybe perhaps today once again do does did is are was were can "
    "could will would should may might must have has had remember suppose consider imagine recall see "
    "die der das im es er sie wir"
)
# What follows a number with a stop in languages that write ordinals so: "3. Oktober", "18. Jahrhundert".
AFTER_ORDINAL = word_set(
    "januar jänner februar märz april mai juni juli august september oktober november dezember "
    "leden únor březen duben květen červen červenec srpen září říjen listopad prosinec "
    "jahrhundert jahrhunderts jahrhunderte jahrhunderten jahrtausend jahrtausends"
)
# Abbreviations of two words: "v. Chr.", "EE. UU."
WITHIN = {("v", "chr"), ("n", "chr"), ("ee", "uu")}
# A line ends with one of them only if its sentence continues in the next line.
RUNS_ON = word_set(
    "a an the this that our your my of in to and or from see with by at for on as than during after "
    "before per like until through is was said called since about"
)
_ABBREVIATIONS = NEVER_LAST | TITLES | BEFORE_NUMBER | MAYBE_LAST


def ends_sentence(text: str) -> bool:
    """Return whether a text ends with a stop, ignoring quotation marks and brackets after it."""
    return _END.search(text[-_LONGEST_END:]) is not None


def is_prose(text: str) -> bool:
    """Whether a sentence says something by itself: no heading, question, code or formula."""
    shown = text.strip()
    if NO_SENTENCE.match(shown) or shown.rstrip("*_ ").endswith(_ENDS_OPEN):
        return False
    if not shown.rpartition("\n")[2].strip("-="):  # a heading that is underlined
        return False
    is_line = not ends_sentence(shown) and not ITEM.match(shown.lstrip("> ")) and "\n" not in shown
    few = _HEADING_WORDS if is_line else _FEW_WORDS
    if len(words_in(shown)) < few and not UNSPACED_SIGN.search(shown):
        return False
    letters = sum(map(str.isalpha, shown))
    return letters >= _LETTERS * sum(1 for sign in shown if not sign.isspace())


def sentence_spans(text: str, start: int = 0, end: int | None = None) -> list[Span]:
    """Find the sentences of ``text[start:end]``, in order; ``start`` is the beginning of a line.

    Together the spans hold every character but white space, with which they neither begin nor end.
    """
    end = len(text) if end is None else min(end, len(text))
    spans: list[Span] = []
    for fence_start, fence_end in (*fences(text, start, end), (end, end)):
        for whole, begin, stop in _prose_blocks(text, start, fence_start):
            if whole:
                spans.append(trimmed(text, begin, stop))
            else:
                _split_prose(spans, text, begin, stop)
        spans += (trimmed(text, *line) for line in lines(text, fence_start, fence_end))
        start = fence_end
    return [span for span in spans if span[0] < span[1]]


def _prose_blocks(text: str, start: int, end: int) -> Iterator[tuple[bool, int, int]]:
    """Yield (whether it is one unit, start, end) for each block."""
    block, length = start, 0  # of the block being collected; the length is in lines
    kind = ""  # plain, item or quote; empty for none
    for position, line_end in lines(text, start, end):
        line = _line_kind(text, position, line_end, kind, length)
        if line == "underline":
            yield True, block, line_end
            kind = ""
        elif line in ("blank", "unit"):
            if kind:
                yield False, block, position
            if line == "unit":
                yield True, position, line_end
            kind = ""
        elif not kind or line == "item" or (line == "quote") != (kind == "quote"):
            if kind:
                yield False, block, position
            block, kind, length = position, line, 1
        else:
            length += 1
    if kind:
        yield False, block, end


def _line_kind(text: str, start: int, end: int, kind: str, length: int) -> str:
    """Name a line; ``kind`` and ``length`` are those of the block it would continue, empty and 0 for none."""
    if start == end:
        return "blank"
    if text[start].isalpha() and text[start + 1 : start + 2] != ")":
        return "plain"  # nearly all lines
    if _HEADING.match(text, start, end):
        return "unit"
    line = text[start:end].strip()
    if not line:
        return "blank"
    signs = line.replace(" ", "").replace("\t", "") if len(line) <= 400 else ""
    if len(signs) >= 3 and signs[0] in "-*_=~+" and set(signs) == {signs[0]}:  # a rule
        return "underline" if kind == "plain" and length == 1 and line[0] in "=-" else "unit"
    if item := ITEM.match(text, start, end):
        number = item.group("number")
        # Within a paragraph a number begins a list only if it is the first: not in "in\n19. Then".
        starts_item = number is None or kind in ("", "item") or number in _FIRST_NUMBERS
        return "item" if starts_item else "plain"
    if line[0] == ">":
        return "quote"
    return "unit" if line[0] == "|" and line[-1] == "|" and len(line) > 1 else "plain"


def _split_prose(spans: list[Span], text: str, start: int, end: int) -> None:
    begin = skip_space(text, start, end)
    for match in _STOP.finditer(text, begin, end):
        stop, after = match.span()
        following = skip_space(text, after, end)
        if following >= end:
            break
        if after - stop == 1 and _is_plain_end(text, begin, stop, following):
            ends = True  # three in four, decided without the rules below
        elif text[match.end("run") - 1] in _WIDE:
            # 「なぜ？」と聞いた: a particle after the quotation continues the sentence.
            ends = not (match.group("close") and "\u3041" <= text[following] <= "\u309f")
        else:
            ends = following > after and _ends_sentence(text, begin, match, following, end)
        if ends:
            spans.append((begin, after))
            begin = following
    spans.append(trimmed(text, begin, end))


def _is_plain_end(text: str, begin: int, stop: int, following: int) -> bool:
    """Whether a common word precedes the stop and a capital letter follows it."""
    if text[stop] != "." or not text[following].isupper():
        return False
    before = text[max(begin, stop - _TOKEN_LOOKED_AT) : stop]
    word = before[before.rfind(" ") + 1 :]
    return (
        2 < len(word) < len(before)
        and word.isalpha()
        and following > stop + 1
        and word.lower() not in _ABBREVIATIONS
    )


def _ends_sentence(text: str, begin: int, stop: re.Match[str], following: int, end: int) -> bool:
    """Whether a stop ends the sentence from ``begin``; ``following`` is where the next character stands."""
    run, close = stop.group("run"), stop.group("close")
    after = _NEXT.match(text, following, min(end, following + _TOKEN_LOOKED_AT))
    word = (after.group("word") or "") if after else ""
    first = word[:1] or text[following]
    if first in ".!?…,;:":
        return False  # ". . ." and stops set apart
    if "!" in run or "?" in run:
        return not (close and first.islower())
    if len(run) > 1 or run == "…":
        return not first.islower()
    # Also with a space between them: "St . Louis".
    before = text[max(begin, stop.start() - _TOKEN_LOOKED_AT) : stop.start()].rsplit(None, 1)
    token = before[-1].lstrip(_OPENERS) if before else ""
    if close:
        return not first.islower() and token.lower() not in NEVER_LAST
    if first.islower():
        return _ends_before_small_letter(token)
    at_beginning = stop.start() - begin == len(token)
    if at_beginning and _ENUMERATOR.fullmatch(token):
        return False  # "1. Introduction", "J. Smith"
    letter_follows = len(word) == 1 and after is not None and after.group("stop") is not None
    if letter_follows and len(token) == 1 and token != "I":
        return False  # "J. K.", "z. B."
    starter = word.lower() in STARTERS and not letter_follows
    return _ends_before_capital(token, word, text[following], starter=starter)


def _ends_before_small_letter(token: str) -> bool:
    """Whether a stop ends a sentence although a lower-case letter follows, as in careless notes."""
    if len(token) < 3 or not token.isalpha() or not (token.islower() or len(token) > 5):
        return False
    word = token.lower()
    return bool(_VOWEL.search(word)) and not (word in NEVER_LAST or word in MAYBE_LAST or word in TITLES)


def _ends_before_capital(token: str, word: str, sign: str, *, starter: bool) -> bool:
    """Whether a stop after ``token`` ends a sentence before a capital letter, a number or a sign.

    ``word`` is the next one (empty before a sign); a ``starter`` often begins sentences.
    """
    lower = token.lower()
    if lower in NEVER_LAST or (lower in TITLES and token[0].isupper() and not starter):
        return False
    if (lower, word.lower()) in WITHIN:
        return False
    is_number = word[:1].isdigit()
    if is_number and lower in BEFORE_NUMBER:
        return False
    if token == "I":
        return True
    if len(token) == 1 and token.isalpha() and token.isupper():
        return starter or not word  # an initial, else "vitamin C. The"
    if lower in MAYBE_LAST or _ACRONYM.fullmatch(token):
        if lower == "etc":
            return sign != "("
        return starter or (not word and sign not in "([") or (sign in '"“‘«' and not is_number)
    return not (token.isdigit() and len(token) < 3 and word.lower() in AFTER_ORDINAL)
