"""What the palette finds for what is typed, and in which order."""

from __future__ import annotations

from app.ui.shell.palette import EntryKind, PaletteEntry, best


def entry(kind: EntryKind, title: str, more: str = "") -> PaletteEntry:
    return PaletteEntry(kind, title, "", lambda: None, more)


ENTRIES = [
    entry(EntryKind.COMMAND, "New chat", "File"),
    entry(EntryKind.COMMAND, "Export chat", "File"),
    entry(EntryKind.COMMAND, "Export library", "Course"),
    entry(EntryKind.COMMAND, "Trash", "Course"),
    entry(EntryKind.COMMAND, "Theme: Dark", "View"),
    entry(EntryKind.COURSE, "Statistics for Beginners"),
    entry(EntryKind.LESSON, "Transformers and attention", "Lesson 2 Deep Learning"),
    entry(EntryKind.LESSON, "Café chemistry: la crème brûlée", "Lesson 3 Kitchen Science"),
    entry(EntryKind.CHAT, "What is a dark horse?"),
    entry(EntryKind.CHAT, "How do I export a chat to Obsidian?"),
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


def test_initials_are_enough() -> None:
    assert found("taa") == ["Transformers and attention"]
    assert found("setings") == []


def test_a_lesson_is_found_by_its_number_and_course_too() -> None:
    assert found("lesson 2") == found("deep attention") == ["Transformers and attention"]


def test_nothing_is_found_for_signs_alone_or_unknown_words() -> None:
    assert found("zebra") == []
    assert [one.title for one in best(ENTRIES, "?!", 3)] == [one.title for one in ENTRIES[:3]]
