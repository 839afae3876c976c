"""The texts sent to the model, kept as Markdown under ``resources/prompts``.

Nothing in the system prompt changes from one question to the next, so that a server can cache it: no dates,
no names of courses. The list of courses stands at the beginning of what the user says: it is cached there
too, and titles from files do not speak with the authority of the system prompt. What belongs to one question,
such as its scope, goes into the user's last turn.
"""

from collections.abc import Sequence

from app.config.paths import resource_path
from app.domain.plain_text import shorten
from app.domain.scope import Scope, ScopePart, scope_parts
from app.domain.words import one_spaced

_LONGEST_TITLE = 200
_LONGEST_LIST = 6000  # characters


def load_prompt(name: str) -> str:
    """Return the text of ``resources/prompts/<name>.md`` without its final newline."""
    return resource_path(f"resources/prompts/{name}.md").read_text(encoding="utf-8").strip()


def course_list(titles: Sequence[str]) -> str:
    if not titles:
        return ""
    lines: list[str] = []
    left = _LONGEST_LIST
    for title in map(one_line, titles):
        left -= len(title) + 3
        if left < 0:
            lines.append(f"- and {len(titles) - len(lines)} more")
            break
        lines.append(f"- {title}")
    return load_prompt("courses").replace("{titles}", "\n".join(lines))


def passages_note(*, may_search: bool) -> str:
    """Return what to say of passages that go before the question."""
    return load_prompt("passages" if may_search else "passages_only")


def one_line(text: str) -> str:
    """Fold white space and cut, so that a title from a file cannot pass for a paragraph."""
    return shorten(one_spaced(text), _LONGEST_TITLE)


def mend_surrogates(text: str) -> str:
    """Join the halves of characters that JSON spelled as two; replace halves that stand alone."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def scope_note(scope: Scope) -> str:
    """Return the sentence about the scope for the user's turn; empty for the whole library."""
    parts = scope_parts(scope)
    if not parts:
        return ""
    if parts[0].others_too:
        limits = [f"“{one_line(part.title)}” only up to lesson {part.up_to}" for part in parts]
        described = "all courses, but " + " and ".join(limits)
    else:
        described = "; ".join(_described(part) for part in parts)
    return load_prompt("scope").replace("{scope}", described)


def _described(part: ScopePart) -> str:
    words = []
    if None in part.lessons:
        words.append("text outside the lessons")
    numbers = [str(number) for number in part.lessons if number is not None]
    if numbers:
        words.append(f"{'lesson' if len(numbers) == 1 else 'lessons'} {', '.join(numbers)}")
    described = f"“{one_line(part.title)}” {' and '.join(words)}".strip()
    return described if part.up_to is None else f"{described} up to lesson {part.up_to}"
