"""How much memory a library of some size takes, and whether questions make it grow.

Of ours everything counts, the process with the search index too.

``python -m tests.tools.benchmarks.memory [--size 500] [--questions 1000]`` prints one JSON line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.tools.benchmarks.libraries import KEPT, made, titles_in
from tests.tools.benchmarks.measuring import Side, parser_of, print_result, size

if TYPE_CHECKING:
    from pathlib import Path


def compare(
    passages: int, questions: int, *, kept: Path = KEPT, with_reference: bool = True
) -> dict[str, Any]:
    """Return what is printed."""
    folder = made(passages, reference=with_reference, kept=kept)
    titles = titles_in(folder)
    result: dict[str, Any] = {"benchmark": "memory", "passages": passages, "questions": questions}
    for name in ("ours", "reference") if with_reference else ("ours",):
        side = Side("search", name, {"made": str(folder)})
        # The reference is asked often enough to have everything loaded, and no more: it is slow.
        count = questions if name == "ours" else min(questions, 20)
        warm = None
        for number in range(count):
            course = titles[number % len(titles)] if number % 2 else None
            side.ask(do="ask", question=f"What is said about {titles[number % len(titles)]}?", course=course)
            if number == count // 5:
                warm = side.ask(do="look")["memory_mb"]
        result[name] = {"after_a_fifth_mb": warm, "at_the_end_mb": side.ask(do="look")["memory_mb"]}
        side.close()
    if with_reference and result["ours"]["at_the_end_mb"]:
        result["ratio"] = round(result["reference"]["at_the_end_mb"] / result["ours"]["at_the_end_mb"], 2)
    return result


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--size", type=size, default=500)
    parser.add_argument("--questions", type=int, default=1000)
    options = parser.parse_args()
    print_result(compare(options.size, options.questions))


if __name__ == "__main__":
    main()
