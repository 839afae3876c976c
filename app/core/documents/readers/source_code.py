"""Source code to text: each function and class between fences of its own, with the path to it as its anchor.

Found by how definitions begin in the usual languages, not by a parser of each.
"""

import re
from collections.abc import Iterator

from app.core.documents.readers.markdown import without_data
from app.core.documents.readers.plain import decoded
from app.core.documents.readers.text_builder import TextBuilder
from app.domain.documents import DocumentText

_BEFORE = (
    "export|default|public|private|protected|internal|static|async|abstract|final|virtual|override|inline|unsafe"
    "|extern|open|data|sealed|partial|pub|local|const|constexpr|friend|synchronized|suspend"
)
_KINDS = (
    "def|defp|defmodule|class|function|func|fn|fun|sub|struct|enum|interface|trait|impl|module|namespace|object"
    "|protocol|extension|procedure|subroutine|macro|record|theorem|lemma|instance"
)
_DEFINITION = re.compile(
    rf"^(?P<indent>[ \t]*+)(?:(?:{_BEFORE})[ \t]++)*+(?:{_KINDS})[ \t*]++"
    r"(?:\([^()\n]*+\)[ \t]*+|[\w\[\], ]{1,60}=[ \t]*+)?(?P<name>[A-Za-z_$][\w$.:?!]*+)",
    re.MULTILINE,
)
# "int main(void) {", "static Node *find(…" and methods: a type, a name, and no stop at the line's end.
_TYPED = re.compile(
    r"^(?P<indent>[ \t]{0,8})"
    r"(?!(?:return|else|new|throw|delete|case|goto|yield|await|print|assert|import|from|if|while|for)\b)"
    r"(?:[A-Za-z_][\w:.<>,*&\[\]]*+[ \t]++[*&]{0,2}){1,5}+(?P<name>~?[A-Za-z_][\w:]*+)[ \t]*+"
    r"\([^;{\n]*+(?:\{[^\n]*+)?$",
    re.MULTILINE,
)
# "const f = async (x) => {" and "f <- function(x)".
_ASSIGNED = re.compile(
    r"^(?P<indent>[ \t]{0,8})(?:export[ \t]++)?(?:(?:const|let|var|val)[ \t]++)?"
    r"(?P<name>[A-Za-z_$.][\w$.]*+)[ \t]*+(?:<-|=)[ \t]*+"
    r"(?:async[ \t]++)?(?:function\b|\([^()\n]*+\)[ \t]*+=>|\w++[ \t]*+=>)",
    re.MULTILINE,
)
_ABOVE = ("#", "//", "/*", "*", "@", "--", "%", ";", "[")  # begin comments, decorators and attributes


def read_source_code(data: bytes) -> DocumentText:
    """Read a program; the path of names that leads to each definition is an anchor."""
    code = without_data(decoded(data))
    builder = TextBuilder()
    position, heading = 0, (0, "")
    for start, level, name in (*_definitions(code), (len(code), 0, "")):
        if heading[0]:
            builder.enter(*heading)
        builder.code(code[position:start])
        position, heading = start, (level, name)
    return builder.finish()


def _definitions(code: str) -> Iterator[tuple[int, int, str]]:
    """Yield where a definition begins with the comments above it, its level from 1 to 2, and its name."""
    found = {
        match.start(): match for form in (_TYPED, _ASSIGNED, _DEFINITION) for match in form.finditer(code)
    }
    around: list[int] = []  # the depths of the definitions that the next one may lie in
    for _, match in sorted(found.items()):
        depth = len(match.group("indent").expandtabs(4))
        while around and around[-1] >= depth:
            around.pop()
        if len(around) < 2:
            yield _with_comments(code, match.start()), len(around) + 1, match.group("name").rstrip(":.")
        around.append(depth)


def _with_comments(code: str, start: int) -> int:
    while start > 0:
        above = code.rfind("\n", 0, start - 1) + 1
        if not code[above : start - 1].lstrip().startswith(_ABOVE):
            break
        start = above
    return start
