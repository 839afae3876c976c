"""Passages as Markdown quotations, typeset if their files are Markdown and word by word if not."""

import re
from collections.abc import Sequence
from textwrap import dedent

from app.core.conversations.harmless_markdown import code_fences
from app.core.search.terms import content_terms, tokenize
from app.domain.documents import becomes_markdown
from app.domain.sources import Citation, Source
from app.markup.formulas import formulas_in

# What Markdown would read as syntax inside a passage. An opening bracket means nothing without a closing one,
# and behind a backslash it would begin a formula.
_SYNTAX = re.compile(r"([\\`*_{}\]<>#+|~!&$])")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_LIST_START = re.compile(r"^([^\S\n]*\d*)((?<=\d)[.)]|(?<!\d)[-=])", re.MULTILINE)
_PARAGRAPHS = re.compile(r"\n[^\S\n]*\n")
_ITEM = re.compile(r"\n(?=[^\S\n]*(?:[-*•–]|\d{1,3}[.)])[^\S\n])")
# Code in plain text: an indented line, and one that ends as lines of prose do not.
_INDENTED = re.compile(r"^(?: {2}|\t)[^\S\n]*\S", re.MULTILINE)
_CODE_LINE = re.compile(r"[:;{})\]]$", re.MULTILINE)
_OWN_FENCE = "````"
_FENCE_LINE = re.compile(r"^ {0,3}(`{3,}|~{3,})([^\n`]*)$", re.MULTILINE)
_BOLD = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1", re.DOTALL)
_NO_SENTENCE = re.compile(r"\s*(?:#|\||```|~~~|!\[)")  # a heading, a row, code or a picture


def quotation(source: Source, begin: int) -> tuple[str, Citation]:
    """Return a source as a quotation, and the citation of it where it begins at ``begin`` of the answer."""
    hit = source.hit
    lines = _markdown_lines(hit.text) if becomes_markdown(hit.path) else _text_lines(hit.text)
    text = "\n".join(f"> {line}" for line in lines)
    return text, Citation(source.n, begin, begin + len(text), hit.start, hit.end, hit.text, verified=True)


def leading_sentence(question: str, sources: Sequence[Source], begin: int) -> tuple[str, Citation] | None:
    """Return the sentence with most words of the question as a quotation.

    None if it has fewer than half of them, or if it is the first one, which is read first anyway.
    """
    terms = content_terms(question)
    spans = [(source, span) for source in sources for span in source.sentences]
    held: list[set[str]] = [set() for _ in spans]
    for index, term in tokenize([source.text(*span) for source, span in spans]):
        held[index].add(term)
    counts = [
        0 if _NO_SENTENCE.match(source.text(*span)) else len(terms & found)
        for (source, span), found in zip(spans, held, strict=True)
    ]
    best = counts.index(max(counts)) if counts else 0
    if not best or 2 * counts[best] < len(terms):
        return None
    source, (start, end) = spans[best]
    quoted = source.text(start, end)
    # All of it is bold here.
    plain = _BOLD.sub(r"\2", quoted) if becomes_markdown(source.hit.path) else quoted
    text = f"> **{literal(plain)}**"
    return text, Citation(source.n, begin, begin + len(text), start, end, quoted, verified=True)


def literal(text: str) -> str:
    """Return text on one line, with its signs escaped that mean something in Markdown."""
    folded = " ".join(text.split())
    return _LIST_START.sub(r"\1\\\2", _SYNTAX.sub(r"\\\1", folded))


def without_escapes(markdown: str) -> str:
    """Return Markdown with the escaped signs themselves, for readers that show it as it is.

    Formulas and fenced code stay, because a backslash means something else in them.
    """
    parts, done = [], 0
    kept = [*code_fences(markdown, inner=True), *((one.start, one.end) for one in formulas_in(markdown))]
    for start, end in sorted(kept):
        if start >= done:
            parts += [_ESCAPED.sub(r"\1", markdown[done:start]), markdown[start:end]]
            done = end
    return "".join([*parts, _ESCAPED.sub(r"\1", markdown[done:])])


def _markdown_lines(text: str) -> list[str]:
    """Return the lines of a Markdown passage; code that its ends cut through begins or ends with it."""
    text = text.strip("\n")
    fences = _FENCE_LINE.findall(text)
    lines = text.split("\n")
    if len(fences) % 2:
        sign, language = fences[0]
        # A fence that opens code mostly names its language, and one that closes code never does.
        lines = [*lines, fences[-1][0]] if language.strip() else [sign, *lines]
    return lines


def _text_lines(text: str) -> list[str]:
    """Return the lines of a plain passage: its hard-wrapped paragraphs and items joined, its code kept."""
    lines: list[str] = []
    for paragraph in _PARAGRAPHS.split(text.strip("\n")):
        if _INDENTED.search(paragraph) and _CODE_LINE.search(paragraph):
            lines += ["", _OWN_FENCE, *dedent(paragraph).rstrip().split("\n"), _OWN_FENCE]
            continue
        for part in _ITEM.split(paragraph):
            lines += ["", literal(part)] if part.strip() else []
    return lines[1:]
