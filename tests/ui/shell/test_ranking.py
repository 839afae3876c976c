"""What the palette finds for what is typed, and in which order."""

from __future__ import annotations

from app.ui.shell.palette_ranking import Entry, Kind, best


def entry(kind: Kind, title: str, more: str = "") -> Entry:
    return Entry(kind, title, "", lambda: None, more)


ENTRIES = [
    entry(Kind.COMMAND, "New chat", "File"),
    entry(Kind.COMMAND, "Export chat", "File"),
    entry(Kind.COMMAND, "Export library", "Course"),
    entry(Kind.COMMAND, "Trash", "Course"),
    entry(Kind.COMMAND, "Theme: Dark", "View"),
    entry(Kind.COURSE, "Statistics for Beginners"),
    entry(Kind.LESSON, "Transformers and attention", "Lesson 2 Deep Learning"),
    entry(Kind.LESSON, "Café chemistry: la crème brûlée", "Lesson 3 Kitchen Science"),
    entry(Kind.CHAT, "What is a dark horse?"),
    entry(Kind.QUESTION, "How do I export a chat to Obsidian?"),
]


def found(typed: str) -> list[str]:
    return [one.title for one in best(ENTRIES, typed, 20)]


def test_beginnings_come_before_middles_and_commands_before_the_rest() -> None:
    assert found("tra")[:2] == ["Trash", "Transformers and attention"]
    assert found("dark") == ["Theme: Dark", "What is a dark horse?"]
    assert found("export chat") == ["Export chat", "How do I export a chat to Obsidian?"]


def test_words_stand_in_any_order_and_accents_do_not_matter() -> None:
    assert found("chat new") == ["New chat"]
    assert found("creme brulee") == found("CAFÉ") == ["Café chemistry: la crème brûlée"]


def test_letters_that_follow_closely_are_enough() -> None:
    assert found("exlib") == ["Export library"]
    assert found("statbeg") == ["Statistics for Beginners"]
    assert found("setings") == []
    assert found("taa") == ["Transformers and attention"], "initials"
    assert "Transformers and attention" not in found("tts")


def test_a_lesson_is_found_by_its_number_and_course_too() -> None:
    assert found("lesson 2") == found("deep attention") == ["Transformers and attention"]


def test_nothing_is_found_for_signs_alone_or_unknown_words() -> None:
    assert found("zebra") == []
    assert [one.title for one in best(ENTRIES, "?!", 3)] == [one.title for one in ENTRIES[:3]]
