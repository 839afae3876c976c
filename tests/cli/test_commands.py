from __future__ import annotations

import hashlib
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from app import __version__
from app.config.paths import resource_path, user_config_dir
from app.config.settings import Settings, save_settings
from app.core.documents.formats import UNREAD_ENDINGS
from app.core.storage.schema import SCHEMA_VERSION
from app.main import main
from tests.support.anthropic_server import AnthropicServer
from tests.support.commands import Commands
from tests.support.courses import BREAD, FILES, INK, TIDES, TITLES, library, write_courses
from tests.support.scans import picture_of, scan, stored_as
from tests.support.scripted_turns import Cite, ErrorReply, Gate, Text, ToolUse, Turn, Wait

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.courses import KeptEmbedder

HIT_KEYS = [
    "rank",
    "score",
    "course_title",
    "lesson_number",
    "lesson_title",
    "chunk_index",
    "text",
    "path",
    "start",
    "end",
    "anchor",
    "pages",
    "link",
]
IMPORTED = """
import sys
from app.core.storage.schema import SCHEMA_VERSION
from app.main import main
code = main(sys.argv[1:])
heavy = ("PySide6", "torch", "sentence_transformers", "chromadb", "anthropic")
print([name for name in heavy if name in sys.modules], file=sys.stderr)
sys.exit(code)
"""


pytestmark = pytest.mark.usefixtures("kept_model")


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Commands:
    """Commands on a directory where there is no library yet."""
    return Commands(tmp_path / "new" / "data", capsys)


@pytest.fixture
def run_stored(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> Commands:
    """Commands on a library of the three tiny courses."""
    return Commands(data_dir, capsys)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[AnthropicServer]:
    with AnthropicServer() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", server.key)
        yield server


def one_sentence(text: str) -> bool:
    return text.count("\n") == 1 and text.endswith(".\n") and "Traceback" not in text


class TestUsage:
    def test_version(self, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit) as left:
            main(["--version"])
        assert left.value.code == 0
        assert capsys.readouterr().out == f"lectern {__version__}\n"

    @pytest.mark.parametrize(
        "arguments",
        [
            ["nonsense"],
            ["ingest"],
            ["ask"],
            ["ask", " "],
            ["search", "x", "--limit", "0"],
            ["search", "x", "--limit", "many"],
            ["search", "x", "--max-chars", "-5"],
            ["search", "x", "--lesson", "first"],
            ["courses", "--unknown"],
        ],
    )
    def test_wrong_usage_leaves_with_2(self, run: Commands, arguments: list[str]) -> None:
        with pytest.raises(SystemExit) as left:
            run(*arguments)
        assert left.value.code == 2

    @pytest.mark.parametrize("arguments", [[], ["x", "--questions", "q.jsonl"]])
    def test_a_search_needs_one_kind_of_question(self, run: Commands, arguments: list[str]) -> None:
        with pytest.raises(SystemExit) as left:
            run("search", *arguments)
        assert left.value.code == 2


class TestIngest:
    def test_reports_as_json_on_standard_output_alone(self, run: Commands, tmp_path: Path) -> None:
        courses = write_courses(tmp_path / "courses")
        first = run("ingest", courses, "--json")
        assert first.code == 0
        report = first.json
        assert list(report) == ["courses", "passages", "files", "folders", "seconds", "passages_per_second"]
        assert report["courses"] == 3
        assert [list(file) for file in report["files"]] == [
            ["path", "status", "course_title", "passages", "embedded", "reason"]
        ] * 3
        assert [file["path"] for file in report["files"]] == [
            str(courses / name) for name in ("bread.txt", "ink.md", "tides.txt")
        ]
        assert sum(file["passages"] for file in report["files"]) == report["passages"] > 3
        assert report["seconds"] > 0
        assert report["passages_per_second"] > 0
        assert "bread.txt" in first.err
        again = run("ingest", courses, "--json").json
        assert {file["status"] for file in again["files"]} == {"unchanged"}
        assert {file["embedded"] for file in again["files"]} == {0}
        assert again["passages"] == report["passages"]

    @pytest.mark.slow
    @pytest.mark.skipif(sys.platform == "win32", reason="only elsewhere can files be kept from growing")
    def test_a_full_disk_is_reported_as_json_with_what_was_read(self, run: Commands, tmp_path: Path) -> None:
        import resource

        courses = write_courses(tmp_path / "courses")
        assert run("ingest", courses).code == 0
        long = tmp_path / "herons.txt"
        long.write_text(" ".join(f"Heron {number} waits in the reeds." for number in range(2000)), "utf-8")
        room = (run.data_dir / "library.sqlite3").stat().st_size + 100_000
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, limits[1]))
        try:
            full = run("ingest", courses, long, "--json")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert full.code == 1
        assert [file["status"] for file in full.json["files"]] == ["unchanged"] * 3
        assert full.json["courses"] == 3
        assert full.json["error"] in full.err

    def test_relative_paths_become_absolute(
        self, run: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        courses = write_courses(tmp_path / "courses")
        monkeypatch.chdir(courses)
        assert run("ingest", "ink.md", "--json").json["files"][0]["path"] == str(courses / "ink.md")
        (hit, *_) = run("search", "ink", "--json").json["hits"]
        assert hit["path"] == str(courses / "ink.md")

    def test_says_how_much_there_is(self, run: Commands, tmp_path: Path) -> None:
        done = run("ingest", write_courses(tmp_path / "courses"))
        assert done.code == 0
        assert done.out.startswith("3 courses, ")
        assert done.out.endswith(" passages\n")

    def test_some_failed(self, run: Commands, tmp_path: Path) -> None:
        courses = write_courses(tmp_path / "courses")
        (courses / "broken.txt").write_bytes(bytes(range(256)) * 10)
        unread = min(UNREAD_ENDINGS)
        (courses / f"later{unread}").touch()
        done = run("ingest", courses)
        assert done.code == 0
        assert f"failed: {courses / 'broken.txt'}: broken.txt is not text.\n" in done.out
        sentence = f"{unread} files aren't supported yet. Save it as PDF and add that."
        assert f"failed: {courses / 'later'}{unread}: {sentence}\n" in done.out
        assert done.out.startswith("3 courses")
        assert done.out.endswith("\n2 of 5 files could not be read.\n")
        nothing = run("ingest", courses / "broken.txt")
        assert nothing.code == 3
        assert nothing.out.endswith("\n1 of 1 file could not be read.\n")

    def test_rebuild(self, run: Commands, tmp_path: Path) -> None:
        courses = write_courses(tmp_path / "courses")
        other = tmp_path / "bees.txt"
        other.write_text("Course Title: Bees\n\nLesson 1: A\nBees dance.\n", encoding="utf-8")
        assert run("ingest", courses, other, "--json").json["courses"] == 4
        assert run("ingest", courses, "--rebuild", "--json").json["courses"] == 3
        assert [course["title"] for course in run("courses", "--json").json["courses"]] == TITLES

    def test_scanned_pages_are_recognised_before_the_report(self, run: Commands, tmp_path: Path) -> None:
        lights = tmp_path / "Lights"
        lights.mkdir()
        picture = picture_of([(72, 700, "The lighthouse warns every ship.")])
        (lights / "01 towers.pdf").write_bytes(scan(picture))
        (tmp_path / "photo.png").write_bytes(stored_as(Image.new("RGB", (300, 200), "navy"), "PNG"))
        done = run("ingest", lights, tmp_path / "photo.png", "--json")
        assert (done.code, done.json["passages"]) == (0, 1)
        read, empty = done.json["files"]
        assert read["status"] == "added"
        assert "page 1 of 1" in done.err
        assert "none could be recognized" in empty["reason"]
        (hit,) = run("search", "what warns ships?", "--json").json["hits"]
        assert hit["anchor"] == {"page": 1, "recognized": True}

    def test_an_empty_folder(self, run: Commands, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        done = run("ingest", tmp_path / "empty")
        assert done.code == 0
        assert done.out == "0 courses, 0 passages\nThere are no files to read in what you chose.\n"
        assert run("ingest", tmp_path / "empty", "--json").json["files"] == []

    def test_a_folder_that_is_gone(self, run: Commands, tmp_path: Path) -> None:
        done = run("ingest", tmp_path / "gone")
        assert (done.code, done.out) == (1, "")
        assert done.err.splitlines()[-1] == (
            f"{tmp_path / 'gone'} no longer exists. Choose it again where it is now."
        )

    def test_a_file_in_the_place_of_the_data_directory(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "data").write_text("in the way", encoding="utf-8")
        run = Commands(tmp_path / "data", capsys)
        for command in (["ingest", str(tmp_path)], ["courses"], ["search", "x"], ["ask", "x"]):
            done = run(*command)
            assert (done.code, done.out) == (1, "")
            assert one_sentence(done.err.replace(". Mend", " Mend"))
            assert str(tmp_path / "data") in done.err

    def test_a_plan_names_translations_by_their_kind(self, run: Commands, tmp_path: Path) -> None:
        folder = tmp_path / "ferns"
        (folder / "translations" / "es").mkdir(parents=True)
        for name in ("README.md", "1.md", "translations/es/README.md", "translations/es/1.md"):
            (folder / name).write_text("# Ferns\n\nThey grow from spores.\n", encoding="utf-8")
        shown = run("plan", folder).out.splitlines()
        assert [line for line in shown if "left out" in line] == [
            "left out, 2 files: It is read in another language.",
            "1 course, 2 files, 2 of them to be read; 2 left out.",
        ]

    def test_a_folder_of_lessons_is_a_course(self, run: Commands, tmp_path: Path) -> None:
        """Two documents of one name and title are one lesson, and none is refused."""
        course = (tmp_path / "term" / "Mosses").resolve()
        course.mkdir(parents=True)
        for name in ("2 Spores.md", "2 Spores.txt", "10 Peat.md"):
            (course / name).write_text(f"# Mosses\n\nWhat {name} says.\n", encoding="utf-8")
        planned = run("plan", course.parent, "--json")
        assert (planned.code, planned.json["files"], planned.json["left_out"]) == (0, 3, [])
        assert [item["title"] for item in planned.json["courses"]] == ["Mosses"]
        shown = run("plan", course.parent)
        assert shown.out.splitlines()[0] == "Mosses"
        assert shown.out.splitlines()[-1] == "1 course, 3 files, 3 of them to be read; 0 left out."
        report = run("ingest", course.parent, "--json").json
        assert {(file["status"], file["course_title"]) for file in report["files"]} == {("added", "Mosses")}
        (listed,) = run("courses", "--json").json["courses"]
        assert [(item["number"], item["title"], item["passages"]) for item in listed["lessons"]] == [
            (2, "Spores", 2),
            (10, "Peat", 1),
        ]
        assert listed["files"] == [
            str(course / name) for name in ("2 Spores.md", "2 Spores.txt", "10 Peat.md")
        ]

    @pytest.mark.slow
    def test_one_paragraph_changed_in_one_of_100_files(self, run: Commands, tmp_path: Path) -> None:
        folder = tmp_path / "hundred"
        folder.mkdir()
        for number in range(100):
            (folder / f"{number:03}.txt").write_text(f"The fact of day {number}.\n", encoding="utf-8")
        changed = folder / "042.txt"
        paragraphs = (
            resource_path("docs/courses/history_of_writing.txt").read_text(encoding="utf-8").split("\n\n")
        )
        changed.write_text("\n\n".join(paragraphs), encoding="utf-8")
        assert run("ingest", folder, "--json").json["courses"] == 2
        paragraphs[20] = "The otter floats on its back and cracks shells on its belly. It sleeps in the kelp."
        changed.write_text("\n\n".join(paragraphs), encoding="utf-8")
        files = {Path(file["path"]).name: file for file in run("ingest", folder, "--json").json["files"]}
        file = files.pop("042.txt")
        assert file["status"] == "changed"
        # The paragraph's passage, and a few after it that begin elsewhere now.
        assert 0 < file["embedded"] < file["passages"] // 4
        assert {(other["status"], other["embedded"]) for other in files.values()} == {("unchanged", 0)}

    def test_a_library_in_use(self, run_stored: Commands, embedder: KeptEmbedder, tmp_path: Path) -> None:
        courses = write_courses(tmp_path / "courses")
        with library(run_stored.data_dir, embedder, index=False):
            refused = run_stored.apart("ingest", courses, "--json")
            assert (refused.code, refused.out) == (1, "")
            assert f"Another Lectern (process {os.getpid()}) is using the library" in refused.err
            assert "Traceback" not in refused.err
            listed = run_stored("courses", "--json")
            assert [course["title"] for course in listed.json["courses"]] == TITLES
            found = run_stored("search", "what is a sourdough starter?", "--json")
            assert found.json["hits"][0]["course_title"] == "Bread Baking at Home"
            asked = run_stored("ask", "what is a sourdough starter?", "--json")
            assert asked.json["sources"][0]["course_title"] == "Bread Baking at Home"
            assert run_stored("doctor", "--json").json["ok"]
        assert run_stored("ingest", courses).code == 0

    @pytest.mark.slow
    @pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal to send")
    def test_interrupted_with_the_library_intact(self, run: Commands, tmp_path: Path) -> None:
        folder = tmp_path / "many"
        folder.mkdir()
        for number in range(200):
            text = f"Course Title: Course {number}\n\nLesson 1: A\n" + f"Thing {number} is blue. " * 80
            (folder / f"{number}.txt").write_text(text, encoding="utf-8")
        with run.start("ingest", folder, "--json") as process:
            assert process.stderr is not None
            for line in process.stderr:
                if line.startswith("added: "):
                    break
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=300)
        assert process.returncode == 130
        assert out == ""
        assert err.endswith("Interrupted; the library is intact.\n")
        assert "Traceback" not in err
        report = run("doctor", "--json", "--repair").json
        assert report["ok"]
        assert 0 < report["counts"]["documents"] < 200
        assert run("search", "blue", "--json").json["hits"]

    @pytest.mark.slow
    @pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal to send")
    def test_interrupted_while_pages_are_recognised_it_reports_what_was_read(
        self, run: Commands, tmp_path: Path
    ) -> None:
        folder = tmp_path / "Harbour"
        folder.mkdir()
        (folder / "ships.txt").write_text("Every ship has a bell.", encoding="utf-8")
        page = picture_of([(72, 700, "The lighthouse warns every ship.")])
        (folder / "scan.pdf").write_bytes(scan(*[page] * 30))
        with run.start("ingest", folder, "--json") as process:
            assert process.stderr is not None
            for line in process.stderr:
                if line.startswith("recognizing ") and "page 2 of 30" in line:
                    break
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=300)
        assert process.returncode == 130
        states = {Path(file["path"]).name: file["status"] for file in json.loads(out)["files"]}
        assert states == {"ships.txt": "added", "scan.pdf": "failed"}
        assert err.endswith("Interrupted; the library is intact.\n")


class TestCourses:
    def test_as_json(self, run_stored: Commands, stored_courses: tuple[Path, Path]) -> None:
        done = run_stored("courses", "--json")
        assert done.code == 0
        assert list(done.json) == ["courses"]
        ink, bread, tides = done.json["courses"]
        assert list(bread) == ["title", "instructor", "link", "passages", "files", "lessons", "server"]
        assert (bread["title"], bread["instructor"], bread["link"]) == (
            "Bread Baking at Home",
            "Mira Holt",
            "https://example.org/bread",
        )
        assert bread["files"] == [str(stored_courses[0] / "bread.txt")]
        assert [list(lesson) for lesson in bread["lessons"]] == [["number", "title", "link", "passages"]] * 3
        assert [lesson["number"] for lesson in bread["lessons"]] == [0, 1, 2]
        assert [lesson["number"] for lesson in tides["lessons"]] == [1, 2]
        assert [lesson["number"] for lesson in ink["lessons"]] == [None]
        assert bread["passages"] == sum(lesson["passages"] for lesson in bread["lessons"])

    def test_as_text(self, run_stored: Commands) -> None:
        out = run_stored("courses").out
        assert "Bread Baking at Home (3 passages)\n  0  Before you start (1)\n" in out

    def test_where_there_is_no_library(self, run: Commands) -> None:
        assert run("courses", "--json").json == {"courses": []}
        assert not run.data_dir.exists()


class TestSearch:
    def test_hits_as_json(self, run_stored: Commands, stored_courses: tuple[Path, Path]) -> None:
        done = run_stored("search", "what is a sourdough starter?", "--json")
        assert done.code == 0
        assert list(done.json) == ["query", "course_title", "hits", "message", "covered", "missing"]
        assert done.json["query"] == "what is a sourdough starter?"
        assert done.json["course_title"] is None
        assert done.json["message"] is None
        hits = done.json["hits"]
        assert 1 < len(hits) <= 5
        assert [list(hit) for hit in hits] == [[*HIT_KEYS, "text_sha256"]] * len(hits)
        assert [hit["rank"] for hit in hits] == list(range(1, len(hits) + 1))
        assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)
        assert all(0 <= hit["score"] <= 1 for hit in hits)
        first = hits[0]
        assert (first["course_title"], first["lesson_number"], first["lesson_title"]) == (
            "Bread Baking at Home",
            1,
            "Sourdough starters",
        )
        assert first["link"] == "https://example.org/bread/1"
        assert first["path"] == str(stored_courses[0] / "bread.txt")
        for hit in hits:
            document = FILES[Path(hit["path"]).name]
            assert hit["text"] == document[hit["start"] : hit["end"]]
            assert hit["text_sha256"] == hashlib.sha256(document.encode()).hexdigest()

    def test_a_lesson_without_a_link_has_the_courses(self, run_stored: Commands) -> None:
        hit = run_stored("search", "gluten in the dough", "--json").json["hits"][0]
        assert (hit["lesson_number"], hit["link"]) == (2, "https://example.org/bread")
        assert hit["anchor"] is None
        ink = run_stored("search", "oak galls", "--json").json["hits"][0]
        assert ink["anchor"] == {"heading": "A Short History of Ink"}
        assert ink["lesson_number"] is None

    def test_limit(self, run_stored: Commands) -> None:
        assert len(run_stored("search", "water", "--json", "--limit", 2).json["hits"]) == 2

    def test_course_and_lesson(self, run_stored: Commands) -> None:
        found = run_stored("search", "what rises?", "--course", "tides", "--json").json
        assert found["course_title"] == "Tides and Currents"
        assert {hit["course_title"] for hit in found["hits"]} == {"Tides and Currents"}
        zero = run_stored("search", "oven", "--course", "bread baking", "--lesson", 0, "--json").json
        assert {hit["lesson_number"] for hit in zero["hits"]} == {0}
        assert zero["hits"]

    def test_a_course_that_is_not_there(self, run_stored: Commands) -> None:
        done = run_stored("search", "x", "--course", "Underwater basket weaving", "--json")
        assert done.code == 0
        assert done.json["hits"] == []
        assert done.json["course_title"] is None
        assert done.json["message"].startswith(
            "No course found matching 'Underwater basket weaving'. Nearest: "
        )
        shown = run_stored("search", "x", "--course", "Underwater basket weaving")
        assert shown.out == done.json["message"] + "\n"

    def test_a_lesson_that_is_not_there(self, run_stored: Commands) -> None:
        done = run_stored("search", "x", "--course", "tides", "--lesson", 9, "--json").json
        assert done["hits"] == []
        assert done["message"] == "Nothing was found in Tides and Currents in lesson 9."

    def test_an_empty_library(self, run: Commands) -> None:
        done = run("search", "anything", "--json")
        assert done.code == 0
        assert done.json["message"] == "The library is empty. Add a folder with course files first."

    def test_as_text(self, run_stored: Commands, stored_courses: tuple[Path, Path]) -> None:
        out = run_stored("search", "sourdough starter", "--limit", 1).out
        path = stored_courses[0] / "bread.txt"
        assert out.startswith(f"1. [Bread Baking at Home - Lesson 1] {path}:")

    @pytest.mark.parametrize(
        "query", ["", "   ", "the and of", "\"quoted' -NEAR(*) AND :", "日本語 🙂", "x" * 5000]
    )
    def test_odd_questions(self, run_stored: Commands, query: str) -> None:
        done = run_stored("search", query, "--json")
        assert done.code == 0
        assert done.json["query"] == query

    @pytest.mark.parametrize("characters", [1, 20, 60, 150, 400, 5000])
    def test_texts_within_a_number_of_characters(self, run_stored: Commands, characters: int) -> None:
        hits = run_stored("search", "how is dough raised?", "--max-chars", characters, "--json").json["hits"]
        assert hits
        assert sum(len(hit["text"]) for hit in hits) <= characters
        for hit in hits:
            assert hit["text"] == FILES[Path(hit["path"]).name][hit["start"] : hit["end"]]
        if characters == 5000:
            assert sum(len(hit["text"]) for hit in hits) > 500

    def test_limit_caps_the_number_within_characters(self, run_stored: Commands) -> None:
        found = run_stored("search", "water", "--max-chars", 5000, "--limit", 2, "--json").json
        assert len(found["hits"]) == 2


class TestQuestions:
    def ask(
        self, run: Commands, tmp_path: Path, *questions: object, options: tuple[object, ...] = ()
    ) -> list[Any]:
        path = tmp_path / "questions.jsonl"
        lines = [json.dumps(question, ensure_ascii=False) for question in questions]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        done = run("search", "--questions", path, *options)
        assert done.code == 0, done.err
        return done.json_lines

    def test_one_line_each_in_the_same_order(self, run_stored: Commands, tmp_path: Path) -> None:
        asked: list[dict[str, Any]] = [
            {"question": "neap tides", "id": 7},
            {"question": "kitchen scale", "course_name": "bread", "lesson_number": 0},
            {"question": "x", "course_name": "Underwater basket weaving", "extra": {"kept": ["as", "it is"]}},
            {"question": "ink", "course_name": None, "lesson_number": None},
        ]
        answers = self.ask(run_stored, tmp_path, *asked)
        for question, answer in zip(asked, answers, strict=True):
            assert list(answer)[-5:] == ["course_title", "hits", "message", "covered", "missing"]
            assert {key: answer[key] for key in question} == question
        assert answers[0]["hits"][0]["lesson_number"] == 2
        assert answers[1]["course_title"] == "Bread Baking at Home"
        assert {hit["lesson_number"] for hit in answers[1]["hits"]} == {0}
        assert answers[2]["hits"] == []
        assert "No course found" in answers[2]["message"]
        assert answers[3]["hits"][0]["course_title"] == "A Short History of Ink"
        assert list(answers[3]["hits"][0]) == [*HIT_KEYS, "text_sha256"]

    def test_the_same_as_one_by_one(self, run_stored: Commands, tmp_path: Path) -> None:
        (answer,) = self.ask(run_stored, tmp_path, {"question": "spring tides"}, options=("--limit", 3))
        alone = run_stored("search", "spring tides", "--limit", 3, "--json").json
        assert answer["hits"] == alone["hits"]

    def test_within_characters(self, run_stored: Commands, tmp_path: Path) -> None:
        answers = self.ask(
            run_stored, tmp_path, {"question": "tides"}, {"question": "ink"}, options=("--max-chars", 300)
        )
        for answer in answers:
            assert 0 < sum(len(hit["text"]) for hit in answer["hits"]) <= 300

    def test_blank_lines_and_a_mark_at_the_start(self, run_stored: Commands, tmp_path: Path) -> None:
        path = tmp_path / "q.jsonl"
        path.write_bytes(b'\xef\xbb\xbf{"question": "ink"}\r\n\r\n{"question": "tides"}')
        assert [line["question"] for line in run_stored("search", "--questions", path).json_lines] == [
            "ink",
            "tides",
        ]

    @pytest.mark.parametrize(
        "line",
        [
            "not json",
            "[]",
            "{}",
            '{"question": 5}',
            '{"question": "x", "course_name": 5}',
            '{"question": "x", "lesson_number": "3"}',
            '{"question": "x", "lesson_number": true}',
        ],
    )
    def test_a_line_that_is_not_a_question(self, run_stored: Commands, tmp_path: Path, line: str) -> None:
        path = tmp_path / "q.jsonl"
        path.write_text(f'{{"question": "good"}}\n{line}\n', encoding="utf-8")
        done = run_stored("search", "--questions", path)
        assert (done.code, done.out) == (1, "")
        assert one_sentence(done.err)
        assert f"Line 2 of {path}" in done.err

    def test_a_file_that_is_not_there(self, run_stored: Commands, tmp_path: Path) -> None:
        done = run_stored("search", "--questions", tmp_path / "none.jsonl")
        assert (done.code, done.out) == (1, "")
        assert str(tmp_path / "none.jsonl") in done.err


class TestAsk:
    def test_without_a_key_the_passages_answer(self, run_stored: Commands) -> None:
        done = run_stored("ask", "what is a sourdough starter?", "--json")
        assert done.code == 0
        assert "search only" in done.err
        assert "lectern model local use" in done.err
        assert "ANTHROPIC_API_KEY" in done.err
        answer = done.json
        assert list(answer)[:6] == ["answer", "sources", "citations", "usage", "stop_reason", "seconds"]
        assert "A sourdough starter is flour and water" in answer["answer"]
        assert "[1]" in answer["answer"]
        assert [list(source) for source in answer["sources"]] == [["n", *HIT_KEYS]] * len(answer["sources"])
        assert [source["n"] for source in answer["sources"]] == list(range(1, len(answer["sources"]) + 1))
        assert answer["usage"] == dict.fromkeys(
            ["input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens"], 0
        )
        assert 0 < len(answer["citations"]) <= 3
        for citation in answer["citations"]:
            document = FILES[Path(citation["path"]).name]
            assert document[citation["start"] : citation["end"]] == citation["cited_text"]
            assert citation["verified"] is True
            assert answer["answer"][citation["answer_start"] : citation["answer_end"]].startswith("> ")
        shown = run_stored("ask", "what is a sourdough starter?").out
        assert shown.startswith(answer["answer"] + "\n[1] Bread Baking at Home - Lesson 1 https://")

    def test_a_model_answers_with_sources_and_citations(
        self, run_stored: Commands, server: AnthropicServer
    ) -> None:
        server.script(
            Turn(ToolUse("search_course_content", {"query": "neap tides"}), stop_reason="tool_use"),
            Turn(Text("Neap tides come "), Text("a week later.", citations=(Cite(0, 0, 1),)), Text(" So.")),
        )
        done = run_stored("ask", "When do neap tides come?", "--json")
        assert done.code == 0, done.err
        assert "Searching for neap tides" in done.err
        answer = done.json
        assert answer["stop_reason"] == "end_turn"
        assert answer["usage"]["input_tokens"] > 0
        assert answer["seconds"] > 0
        (citation,) = answer["citations"]
        assert list(citation) == [
            "n",
            "cited_text",
            "path",
            "start",
            "end",
            "verified",
            "answer_start",
            "answer_end",
            "support",
            "found",
        ]
        document = FILES[Path(citation["path"]).name]
        assert document[citation["start"] : citation["end"]].split() == citation["cited_text"].split()
        assert citation["verified"] is True
        assert answer["answer"] == f"Neap tides come a week later. [{citation['n']}] So."
        assert answer["answer"][citation["answer_start"] : citation["answer_end"]] == "a week later."

    def test_passages_go_along_where_the_settings_say_so(
        self, run_stored: Commands, server: AnthropicServer
    ) -> None:
        save_settings(Settings(send_passages=True), user_config_dir() / "settings.json")
        server.script(Turn(Text("A week later.", citations=(Cite(0),))))
        done = run_stored("ask", "When do neap tides come?", "--json")
        assert done.code == 0, done.err
        assert done.json["citations"]
        assert len(server.message_requests) == 1

    def test_a_model_that_does_not_search_is_asked_again_and_remembered(
        self, run_stored: Commands, server: AnthropicServer
    ) -> None:
        server.script(
            Turn(Text("Every 400 years.")), *[Turn(Text("A week later.", citations=(Cite(0),)))] * 2
        )
        for requests in (2, 3):
            done = run_stored("ask", "When do neap tides come?", "--json")
            assert done.json["answer"].startswith("A week later.")
            assert len(server.message_requests) == requests

    def test_a_busy_server_is_waited_for_and_said_once(
        self, run_stored: Commands, server: AnthropicServer
    ) -> None:
        server.script(
            ErrorReply(429, "rate_limit_error", "Slow down", {"retry-after": "1"}),
            *[Turn(Text("A week later."))] * 2,  # again with passages, since it did not search
        )
        done = run_stored("ask", "When do neap tides come?")
        assert done.code == 0, done.err
        assert done.out.startswith("A week later.")
        assert done.err.count("Trying again in 1 s.") == 1

    def test_positions_count_the_marks_before_them(
        self, run_stored: Commands, server: AnthropicServer
    ) -> None:
        server.script(
            Turn(ToolUse("search_course_content", {"query": "neap tides"}), stop_reason="tool_use"),
            Turn(
                Text("One", citations=(Cite(0, 0, 1), Cite(1, 0, 1))),
                Text("(two)", citations=(Cite(1, 0, 1),)),
                Text(" and "),
                Text("three.", citations=(Cite(0, 0, 1),)),
            ),
        )
        answer = run_stored("ask", "Count", "--json").json
        assert answer["answer"] == "One [1][2] (two) [2] and three. [1]"
        claims = [answer["answer"][item["answer_start"] : item["answer_end"]] for item in answer["citations"]]
        assert claims == ["One", "One", "(two)", "three."]

    def test_as_text_it_streams_and_then_lists_the_sources(
        self, run_stored: Commands, server: AnthropicServer
    ) -> None:
        server.script(
            Turn(ToolUse("search_course_content", {"query": "neap tides"}), stop_reason="tool_use"),
            Turn(Text("A week "), Text("later.", citations=(Cite(0, 0, 1),)), Text(" So.")),
        )
        done = run_stored("ask", "When do neap tides come?")
        answer, *sources = done.out.strip().splitlines()
        assert answer == "A week later. [1] So."
        listed = [line for line in sources if line]
        assert listed[0].startswith("[1] Tides and Currents - Lesson 2 https://example.org/tides")

    def test_course_and_lesson_bind_the_search(self, run_stored: Commands, server: AnthropicServer) -> None:
        server.script(
            Turn(ToolUse("search_course_content", {"query": "oak galls ink"}), stop_reason="tool_use"),
            Turn(Text("Nothing about it.")),
        )
        done = run_stored("ask", "And ink?", "--course", "bread", "--lesson", "0", "--json")
        assert done.code == 0
        assert {(item["course_title"], item["lesson_number"]) for item in done.json["sources"]} <= {
            ("Bread Baking at Home", 0)
        }

    def test_a_course_that_is_not_there(self, run_stored: Commands, server: AnthropicServer) -> None:
        done = run_stored("ask", "x", "--course", "Underwater basket weaving")
        assert (done.code, done.out) == (1, "")
        assert "No course found matching 'Underwater basket weaving'. Nearest: " in done.err
        assert server.requests == []

    def test_model_by_option_and_by_environment(
        self, run_stored: Commands, server: AnthropicServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        server.script(Turn(Text("One.")), Turn(Text("Two.")))
        monkeypatch.setenv("LECTERN_MODEL", server.models[0].id)
        run_stored("ask", "x")
        run_stored("ask", "x", "--model", server.models[1].id)
        posted = [request.body or {} for request in server.requests if request.method == "POST"]
        assert [body["model"] for body in posted] == [server.models[0].id, server.models[1].id]

    def test_an_unknown_model(self, run_stored: Commands, server: AnthropicServer) -> None:
        done = run_stored("ask", "x", "--model", "claude-of-yesterday")
        assert done.code == 1
        assert "claude-of-yesterday" in done.err
        assert "Traceback" not in done.err

    def test_a_wrong_key(
        self, run_stored: Commands, server: AnthropicServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-wrong-and-secret")
        done = run_stored("ask", "x")
        assert done.code == 1
        assert "key" in done.err
        assert "sk-wrong-and-secret" not in done.out + done.err

    def test_no_network(self, run_stored: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
        with socket.socket() as taken:  # by somebody who does not answer
            taken.bind(("127.0.0.1", 0))
            port = taken.getsockname()[1]
            monkeypatch.setenv("ANTHROPIC_BASE_URL", f"http://127.0.0.1:{port}")
            monkeypatch.setenv("ANTHROPIC_API_KEY", "x")
            done = run_stored("ask", "what is a sourdough starter?", "--json")
        assert done.code == 1
        assert f"127.0.0.1:{port}" in done.err
        assert "Traceback" not in done.err
        assert done.json["state"] == "failed"
        assert done.json["model"] is None, "the passages that were found stand in its place"

    def test_a_server_that_refuses(self, run_stored: Commands, server: AnthropicServer) -> None:
        server.script(ErrorReply(400, "invalid_request_error", "No."))
        done = run_stored("ask", "x")
        assert done.code == 1
        assert "Traceback" not in done.err

    def test_an_answer_that_was_cut_is_still_an_answer(
        self, run_stored: Commands, server: AnthropicServer
    ) -> None:
        server.script(Turn(Text("As far as it goes"), stop_reason="max_tokens"))
        done = run_stored("ask", "x", "--json")
        assert done.code == 0
        assert done.json["stop_reason"] == "max_tokens"
        assert done.json["answer"].startswith("As far as it goes")
        assert done.err.strip()

    def test_it_saves_nothing(self, run_stored: Commands, server: AnthropicServer) -> None:
        server.script(Turn(Text("Yes.")))
        run_stored("ask", "x")
        with sqlite3.connect(run_stored.data_dir / "library.sqlite3") as connection:
            assert connection.execute("SELECT count(*) FROM exchanges").fetchone()[0] == 0
        connection.close()

    @pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal to send")
    def test_prints_each_word_as_it_comes_and_can_be_interrupted(
        self, run_stored: Commands, server: AnthropicServer
    ) -> None:
        gate = Gate()
        server.script(Turn(Text("First", Wait(gate), " last.")))
        with run_stored.start("ask", "Say something") as process:
            assert process.stdout is not None
            assert process.stdout.read(5) == "First"
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=300)
        assert process.returncode == 130
        assert "Traceback" not in err


class TestDoctor:
    def test_as_json_and_text(self, run_stored: Commands, embedder: KeptEmbedder) -> None:
        done = run_stored("doctor", "--json")
        assert done.code == 0
        assert list(done.json) == [
            "ok",
            "version",
            "data_dir",
            "counts",
            "local_model",
            "speech_models",
            "problems",
        ]
        assert done.json["data_dir"] == str(run_stored.data_dir)
        shown = run_stored("doctor").out
        assert shown.startswith(f"lectern {__version__}\ndata in {run_stored.data_dir}\n")
        assert shown.endswith("Everything is in order.\n")
        with library(run_stored.data_dir, embedder, index=False):
            assert run_stored("doctor").out.endswith("What was checked is in order.\n")

    def test_a_problem_comes_with_what_mends_it(self, run_stored: Commands) -> None:
        with sqlite3.connect(run_stored.data_dir / "library.sqlite3") as connection:
            connection.execute("INSERT INTO passages_fts (passages_fts) VALUES ('delete-all')")
        connection.close()
        done = run_stored("doctor", "--json")
        assert done.code == 1
        assert not done.json["ok"]
        assert [list(problem) for problem in done.json["problems"]] == [["what", "fix"]]
        shown = run_stored("doctor")
        assert shown.code == 1
        assert "problem: " in shown.out
        assert "    fix: " in shown.out
        assert run_stored("doctor", "--repair").code == 0
        assert run_stored("doctor", "--json").json["ok"]


class TestPlaces:
    def test_the_data_directory_of_the_environment(
        self,
        data_dir: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
        tmp_path: Path,
    ) -> None:
        monkeypatch.setenv("LECTERN_DATA_DIR", str(data_dir))
        assert main(["courses", "--json"]) == 0
        assert len(json.loads(capsys.readouterr().out)["courses"]) == 3
        assert main(["--data-dir", str(tmp_path / "none"), "courses", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["courses"] == []

    def test_a_damaged_library(self, run_stored: Commands) -> None:
        path = run_stored.data_dir / "library.sqlite3"
        data = bytearray(path.read_bytes())
        data[4096:] = b"\xff" * (len(data) - 4096)
        path.write_bytes(data)
        for command in (["courses"], ["search", "x"], ["ingest", str(run_stored.data_dir.parent)]):
            done = run_stored(*command)
            assert (done.code, done.out) == (1, "")
            assert "damaged" in done.err or "cannot be opened" in done.err

    def test_a_newer_library(self, run_stored: Commands) -> None:
        with sqlite3.connect(run_stored.data_dir / "library.sqlite3") as connection:
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
        connection.close()
        for command in (["courses"], ["ingest", str(run_stored.data_dir.parent)]):
            done = run_stored(*command)
            assert (done.code, done.out) == (1, "")
            assert "newer Lectern" in done.err


class TestProcess:
    def test_a_command_imports_neither_qt_nor_torch(
        self, data_dir: Path, tmp_path: Path, model_cache: Path
    ) -> None:
        courses = write_courses(tmp_path / "courses")
        for command in (["ask", "sourdough"], ["ingest", str(courses)]):
            done = subprocess.run(
                [sys.executable, "-c", IMPORTED, "--data-dir", str(data_dir), *command],
                capture_output=True,
                text=True,
                encoding="utf-8",
                check=False,
                env={**os.environ, "DISPLAY": ""},
            )
            assert done.returncode == 0, done.stderr
            assert done.stderr.splitlines()[-1] == "[]"

    def test_any_character_in_any_locale(self, run: Commands, tmp_path: Path) -> None:
        path = tmp_path / "signs.txt"
        path.write_text("Course Title: 数学 → ∑\n\nLesson 1: π\nπ ≈ 3.14 😀.\n", encoding="utf-8")
        environment = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
        assert run("ingest", path).code == 0
        shown = run.apart("search", "π", **environment)
        assert "数学 → ∑" in shown.out
        assert "π ≈ 3.14 😀." in shown.out

    @pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="arguments are text there")
    def test_bytes_that_are_no_text(self, data_dir: Path) -> None:
        command = [sys.executable, "-m", "app", "--data-dir", str(data_dir)]
        done = subprocess.run([*command, "search", b"caf\xe9", "--json"], capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["hits"]


def test_the_texts_of_the_tiny_courses_are_what_is_searched() -> None:
    assert {"bread.txt": BREAD, "tides.txt": TIDES, "ink.md": INK} == FILES
