"""The claims of an answer: its sentences that say something about the course."""

import re

from app.core.documents.text.markdown_structure import Span, fences, is_within
from app.core.documents.text.sentences import sentence_spans

_MOST_CLAIMS = 150  # of one answer; no student reads more
_LONGEST_CLAIM = 1500  # characters; what follows in the same sentence is not looked at
_MARKER = re.compile(r"(?:[-*+>•]\s+|\d{1,3}[.)]\s+)+")
_BOLD_LINE = re.compile(r"(?:\*\*|__)[^*_]{1,80}(?:\*\*|__):?")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
_MARKUP = re.compile(r"[*`~]+|(?<!\w)_+|_+(?!\w)|\\(?=\W)")
_CLOSERS = " \t\"'”’)*_`"
_WORD = re.compile(r"[^\W_]{2,}|\d")
_FEWEST_WORDS = 3
# Before a sentence that may be a claim all the same.
_INTERJECTION = re.compile(
    r"(?:sure|certainly|of course|absolutely|gern|natürlich|claro|por supuesto)\b[\s,!–—-]*", re.IGNORECASE
)
_SAID_TO_THE_READER = re.compile(
    r"""(?:hi|hello|hey|great\ question|good\ question|good\ luck|thanks?
    |you.re\ welcome|thank\ you|sorry|i\ hope|hope\ this|let\ me\ know|let.s|feel\ free|would\ you
    |if\ you.(?:d|re)\ |i.(?:d|m|ll|ve)\b
    |i\ (?:can|could|cannot|can.t|am|did|do|have|would|(?:found|see|searched)(?!\ that))\b
    |here(?:.s|\ is|\ are)\b(?!.*:\ )|in\ short\W*$|for\ example\W*$
    |hallo|viel\ erfolg|lass\ mich|ich\ (?:kann|habe|hoffe|bin)\b
    |hola|espero|puedo\b|buena\ suerte)\b""",
    re.IGNORECASE | re.VERBOSE,
)
# What an answer says of the material as a whole, as that it does not cover the question.
_ABOUT_THE_MATERIAL = re.compile(
    r"""\b(?:material|course|lesson|passage|source(?!\ code)|transcript|text|librar|excerpt|document|result)
    \w*\b[^.]{0,40}(?:\bnot\b|n.t\b|\bnever\b|\bno\b|\bnothing\b|\bonly\b)[^.]{0,20}
    \b(?:cover|mention|discuss|explain|answer|describe|address|contain|specif|provide|say|give|match|part)
    |\bnot\ (?:covered|mentioned|discussed|explained|answered|addressed|part\ of)\b
    |\b(?:lesson|course)s?\b[^.]{0,80}\b(?:comes?|is|are)\ (?:the\ )?(?:nearest|closest)\b
    |\b(?:nearest|closest)\ (?:lesson|course)s?\b
    |\b(?:kurs|material|unterlagen|lektion)\w*\b
    (?=[^.]{0,90}\b(?:abgedeckt|beantwort|behandel|beschr|besproch|enth[aä]lt|erklär|erwähn|find|sag|steh|thema))
    [^.]{0,60}\b(?:nichts?|kein\w*)\b
    |\b(?:steht|find\w*|gibt|sag\w*)\b[^.]{0,40}\b(?:kurs|material|unterlagen|lektion)\w*\b[^.]{0,60}
    \b(?:nichts?|kein\w*)\b
    |\b(?:curso|material|lección)\w*\b
    (?=[^.]{0,90}\b(?:abord|contien|cubr|describ|dice|explic|habla|inclu|mencion|respond|trata))
    [^.]{0,60}\bno\b""",
    re.IGNORECASE | re.VERBOSE,
)


def claim_spans(answer: str) -> list[Span]:
    """Return where an answer's claims stand, in order.

    Headings, code, rows of tables, questions, greetings, sentences that only introduce what follows, and
    remarks on the material as a whole are no claims. A row says little without the head of its table.
    """
    code = fences(answer, 0, len(answer))
    spans: list[Span] = []
    for start, end in sentence_spans(answer):
        marker = _MARKER.match(answer, start, end)
        begin = marker.end() if marker else start
        end = min(end, begin + _LONGEST_CLAIM)
        if not is_within(code, start) and _is_claim(answer[begin:end]):
            spans.append((begin, end))
    return spans[:_MOST_CLAIMS]


def says_not_covered(answer: str) -> bool:
    """Return whether an answer begins by saying that the material does not answer the question."""
    begin, end = next(iter(sentence_spans(answer)), (0, 0))
    return _ABOUT_THE_MATERIAL.search(answer, begin, end) is not None


def plain(text: str) -> str:
    """Return the words of a claim without Markdown."""
    return _MARKUP.sub("", _LINK.sub(r"\1", text))


def _is_claim(text: str) -> bool:
    said = _INTERJECTION.match(text)
    text = text[said.end() :] if said else text
    bare = text.rstrip(_CLOSERS)
    if not bare or bare[0] in "#|" or bare[-1] in "?:：？¿" or _BOLD_LINE.fullmatch(text.strip()):
        return False
    if len(_WORD.findall(bare)) < _FEWEST_WORDS and bare.isascii():
        return False
    return not _SAID_TO_THE_READER.match(bare) and not _ABOUT_THE_MATERIAL.search(bare)
