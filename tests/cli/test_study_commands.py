"""Making items, reviewing them and giving them away from the command line."""

from __future__ import annotations

import io
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from app.config.paths import user_config_dir
from app.config.settings import Settings, save_settings
from app.features.study.model.names import ItemKind
from tests.support.anthropic_server import AnthropicServer
from tests.support.courses import ingest, library
from tests.support.making import BIRDS, FACTS, Teacher, write_birds
from tests.support.study import BREAD_TITLE, MOON, STARTER, TIDES_TITLE, add_item

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.commands import Commands
    from tests.support.courses import KeptEmbedder

TERMS = ["lava", "magma", "tephra"]


pytestmark = pytest.mark.usefixtures("kept_model")


@pytest.fixture
def volcanoes(run: Commands, embedder: KeptEmbedder, tmp_path: Path) -> Commands:
    folder = tmp_path / "volcanoes"
    folder.mkdir()
    sentences = [f"**{term}**: the stuff that people of the valley fear most" for term in TERMS]
    lessons = "\n".join(f"Lesson {n}: Part\n\n{sentence}\n" for n, sentence in enumerate(sentences, 1))
    (folder / "volcanoes.md").write_text(f"Course Title: Volcanoes\n\n{lessons}", encoding="utf-8")
    with library(run.data_dir, embedder, index=False) as rag:
        ingest(rag, folder)
    return run


@pytest.fixture
def deck(run: Commands, embedder: KeptEmbedder) -> Commands:
    """Commands on a library with one card."""
    with library(run.data_dir, embedder, index=False) as rag:
        add_item(rag, BREAD_TITLE, STARTER)
    return run


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_hints_come_one_by_one(run: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    question = "What is a sourdough starter?"
    typed(monkeypatch, "", "wild yeast", "", "")
    ran = run("study", "hints", question)
    said = ["Look in **Lesson 1", "Look for a sentence", "You have **wild**", "in the gaps?", "bacteria live"]
    places = [ran.out.index(text) for text in said]
    assert places == sorted(places)
    assert "gaps?" in run("study", "hints", "--step", "3", question).out
    assert run("study", "hints", "--json", question).json["answer"].startswith("Look in")


def test_a_hint_sends_no_whole_course(run: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    save_settings(Settings(whole_scope_tokens=20_000), user_config_dir() / "settings.json")
    with AnthropicServer() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", server.key)
        hint = run("study", "hints", "--step", "1", "--course", "bread", "What is a sourdough starter?")
        assert not server.message_requests
    assert hint.out.startswith("Look in"), hint.err
    assert "is sent along" not in hint.err


@pytest.mark.parametrize(
    "arguments",
    [["make", "--kinds", "poem"], ["make", "--automatic", "--kinds", "choice"], ["export"], []],
)
def test_wrong_usage_leaves_with_2(
    run: Commands, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        run("study", *arguments)
    assert left.value.code == 2
    assert capsys.readouterr().err.startswith(" ".join(("usage: lectern study", *arguments[:1])))


def test_terms_and_gap_texts_are_made_without_a_model(volcanoes: Commands) -> None:
    made = volcanoes("study", "make", "--course", "volc", "--automatic", "--number", "6", "--json")
    assert made.code == 0, made.err
    assert [(item["kind"], item["lesson_number"]) for item in made.json["items"]] == [
        *(("term", n) for n in (1, 2, 3)),
        *(("cloze", n) for n in (1, 2, 3)),
    ]
    assert made.json["items"][0]["front"] == "lava"
    assert (made.json["covered"], made.json["passages"], made.json["error"]) == (3, 3, None)
    again = volcanoes("study", "make", "--course", "volc", "--lesson", "2", "--automatic")
    assert (again.code, again.err.strip().splitlines()[-1]) == (
        1,
        "No term is marked here that is not on a card already.",
    )


def test_a_model_makes_items_of_a_lesson(
    run: Commands, embedder: KeptEmbedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with library(run.data_dir, embedder, index=False) as rag:
        ingest(rag, write_birds(tmp_path / "birds"))
    with AnthropicServer() as server:
        server.answer_with(Teacher())
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", server.key)
        made = run("study", "make", "--course", BIRDS, "--lesson", "2", "--number", "3", "--json")
    assert made.code == 0, made.err
    assert {item["lesson_number"] for item in made.json["items"]} == {2}
    assert all(item["quote"] in FACTS for item in made.json["items"])
    assert made.json["usage"]["output_tokens"] > 0
    assert "tokens" in made.err


def test_without_a_key_no_model_is_asked(run: Commands) -> None:
    made = run("study", "make")
    assert (made.code, made.out) == (1, "")
    assert "--automatic" in made.err
    assert "lectern model local use" in made.err


def test_what_is_due_is_listed(deck: Commands) -> None:
    listed = deck("study", "due", "--json").json
    assert listed == {
        "decks": [{"course_title": BREAD_TITLE, "items": 1, "due": 1, "new": 1}],
        "due": {"new": 1, "learning": 0, "review": 0, "total": 1},
    }
    assert deck("study", "due").out == f"{BREAD_TITLE}: 1 due (1 new), 1 item\n"
    assert deck("study", "due", "--course", "tides").code == 1


def test_a_library_without_decks_says_how_to_make_one(run: Commands) -> None:
    assert run("study", "due").out == "There are no decks; “lectern study make” makes one.\n"
    assert run("study", "review").code == 1


def test_a_session_asks_rates_and_undoes(deck: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "", "5", "4", "q")
    session = deck("study", "review")
    assert session.code == 0
    asked, answer = (session.out.index(part) for part in ("What lives in a sourdough starter?", STARTER))
    assert asked < answer
    assert "Please type one of these: 1, 2, 3, 4, u, q.\n" in session.out
    assert session.out.endswith("Nothing more is due today.\nReviewed 1 card.\n")
    assert deck("study", "due", "--json").json["due"]["total"] == 0
    assert deck("study", "review", "--json").json["cards"] == []


def test_the_end_of_the_input_ends_a_session(deck: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "", "1")  # asked again in a minute, when nothing else is left
    session = deck("study", "review")
    assert session.code == 0
    assert session.out.endswith("Reviewed 1 card.\n")
    (card,) = deck("study", "review", "--json").json["cards"]
    assert (card["front"], card["state"]) == ("What lives in a sourdough starter?", "learning")
    typed(monkeypatch, "", "1", "u", "q")
    assert deck("study", "review").out.endswith("Reviewed 0 cards.\n")


def test_a_deck_is_written_to_a_file(deck: Commands, tmp_path: Path) -> None:
    file = tmp_path / "bread.csv"
    assert deck("study", "export", "--csv", file, "--json").json == {
        "file": str(file),
        "format": "csv",
        "items": 1,
    }
    assert STARTER in file.read_text(encoding="utf-8-sig")
    nothing = deck("study", "export", "--moodle", tmp_path / "quiz.xml")
    assert (nothing.code, nothing.out) == (1, "")


def test_marks_are_listed_found_and_written(deck: Commands, embedder: KeptEmbedder, tmp_path: Path) -> None:
    assert deck("study", "marks").out == "No marks.\n"
    with library(deck.data_dir, embedder, index=False) as rag:
        for course, sentence in ((BREAD_TITLE, STARTER), (TIDES_TITLE, MOON)):
            add_item(rag, course, sentence, ItemKind.MARK)
    assert f"  “{MOON}”\n    Wild yeast and bacteria\n" in deck("study", "marks").out
    listed = deck("study", "marks", "bread", "--json").json["marks"]
    assert [(one["quote"], one["state"]) for one in listed] == [(STARTER, "current")]
    (found,) = deck("study", "marks", "--find", "ocean yeast", "--json").json["marks"]
    assert found["course_title"] == TIDES_TITLE
    assert deck("study", "due").out == f"{BREAD_TITLE}: 1 due (1 new), 1 item\n", "marks are not learnt"
    written = deck("study", "export", "--course", "tides", "--marks", tmp_path / "tides.md")
    assert written.out == f"Wrote 1 item to {tmp_path / 'tides.md'}.\n"
    assert deck("study", "marks", "ink").code == 1


def test_the_days_to_an_exam_are_planned(deck: Commands, tmp_path: Path) -> None:
    assert deck("study", "plan", "bread").code == 1, "there is no date"
    exam = str(date.today() + timedelta(days=9))
    made = deck("study", "plan", "bread", "--exam", exam, "--off", "sun", "--ics", tmp_path / "days.ics")
    assert f"{BREAD_TITLE}: exam on {exam}, 30 minutes a day, 90 %" in made.out
    assert "1 new card" in made.out
    assert "BEGIN:VCALENDAR" in (tmp_path / "days.ics").read_text(encoding="utf-8")
    assert deck("study", "plan", "bread", "--minutes", "0").code == 1
    assert deck("study", "plan", "bread", "--studied", "0", "--retention", "85").code == 0
    kept = deck("study", "plan", "bread", "--json").json
    assert (kept["exam"], kept["minutes"], kept["retention"], kept["off"]) == (exam, 30, 85, ["sunday"])
    assert (kept["fits"], 0 in [one["number"] for day in kept["days"] for one in day["lessons"]]) == (
        True,
        False,
    )
    paper = tmp_path / "paper.txt"
    paper.write_text("1. What lives in a sourdough starter? (6 points)", encoding="utf-8")
    weighed = deck("study", "plan", "bread", "--paper", paper, "--json").json
    assert 6.0 in [lesson["weight"] for day in weighed["days"] for lesson in day["lessons"]]
    assert deck("study", "plan", "bread", "--no-exam").code == 1
