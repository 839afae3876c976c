"""Listings in the shape of public course repositories: each is one course, in the order of its time."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from app.domain.cancel import CancelToken
from tests.support.courses import library

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from tests.support.courses import KeptEmbedder

TEXTS = {
    "": "The fern grows from spores, which the wind carries far through the forest.\n",
    "it": "La felce cresce dalle spore che il vento porta lontano attraverso il bosco.\n",
    "no": "Bregnen vokser fra sporer som vinden bærer langt gjennom skogen om våren.\n",
    "th": "เฟิร์นเติบโตจากสปอร์ที่ลมพัดพาไปไกลทั่วป่า\n",
    "tr": "Eğrelti otu, rüzgarın ormanda uzaklara taşıdığı sporlardan büyür.\n",
}
"""By language; for the others the code alone tells."""

# name: (files, numbers of some of them, how many are left out for which reasons)
REPOSITORIES: dict[str, tuple[str, dict[str, int | None], dict[str, int]]] = {
    "lessons in numbered modules, translated as a whole": (
        """README.md LICENSE SECURITY.md requirements.txt environment.yml index.html examples/01-hello.md
           lessons/0-setup/how-to-run.md lessons/1-Intro/{README,assignment}.md lessons/2-Symbols/README.md
           lessons/3-Networks/README.md lessons/3-Networks/0{3-Perceptron,4-Own}/README.md
           lessons/3-Networks/03-Perceptron/lab/README.md lessons/4-Vision/0{6-Intro,7-Nets}/README.md
           etc/quiz-app/README.md etc/quiz-app/package.json etc/CODE_OF_CONDUCT.md
           translations/{de,hk,it,ml,no,zh-CN}/README.md
           translations/{de,it,ml,no}/lessons/{1-Intro,2-Symbols}/README.md
           images/map.png translated_images/{de,it}/map.0a1b.png""",
        {
            "README.md": None,
            "lessons/1-Intro/assignment.md": 1,
            "lessons/3-Networks/03-Perceptron/lab/README.md": 3,
            "lessons/4-Vision/07-Nets/README.md": 4,
        },
        {"no_lesson": 4, "translation": 14, "no_text_data": 2, "illustration": 3},
    ),
    "translations beside each lesson": (
        """README.md CONTRIBUTING.md for-teachers.md docs/{README,_sidebar}.md
           quiz-app/{README.md,package.json} 1-Start/README.md
           1-Start/translations/README.{es,it,pt-br,zh-cn}.md
           1-Start/{1-intro,2-history}/{README,assignment}.md
           1-Start/{1-intro,2-history}/translations/{README,assignment}.{az,es,id,it,tr,zh-cn}.md
           2-Lines/{1-tools,2-data}/{README.md,assignment.es.md,assignment.md,solution/notebook.md}""",
        {"1-Start/2-history/README.md": 1, "2-Lines/2-data/solution/notebook.md": 2, "for-teachers.md": 3},
        {"no_lesson": 2, "translation": 30, "no_text_data": 1},
    ),
    "folders of translations in each lesson": (
        """README.md CHANGELOG.md 00-setup/{README,SETUP,01-cloud}.md docs/_navbar.md
           00-setup/translations/{cn,es-mx,ja-jp,ko,pl,tr,tw,vn}/README.md
           00-setup/translations/README.zh-cn.md 01-intro/{README,notes}.md
           01-intro/translations/{cn,es,tr}/README.md 02-models/README.md translations/{fr,no,mo}/README.md
           translations/{fr,no}/01-intro/README.md""",
        {"00-setup/01-cloud.md": 0, "01-intro/notes.md": 1, "02-models/README.md": 2},
        {"no_lesson": 2, "translation": 17},
    ),
    "a book with a folder for each chapter, and what is beside them": (
        """README.md src/{preface,furtherreading}.md src/01-intro/intro.md src/02-name-binding/binding.md
           src/03-monads/{monads,laws}.md src/_static/applets/{dark,light}.html""",
        {
            "src/preface.md": None,
            "src/furtherreading.md": None,
            "src/02-name-binding/binding.md": 2,
            "src/03-monads/laws.md": 3,
        },
        {"of_a_program": 2},
    ),
    "weeks with the homework of each year": (
        """README.md certificates.md 01-intro/{README,homework,01-intro,02-aws,03-vm}.md
           02-tracking/{README,01-why,02-how}.md 02-tracking/homework/homework_2.md 03-flow/3.1/README.md
           04-deployment/{README.md,web-service/README.md} 07-project/README.md
           cohorts/2023/README.md cohorts/202{3,4}/0{1-intro,2-tracking}/homework.md""",
        {
            "01-intro/03-vm.md": 1,
            "02-tracking/homework/homework_2.md": 2,
            "cohorts/2024/02-tracking/homework.md": 2,
            "04-deployment/web-service/README.md": 4,
            "07-project/README.md": 7,
        },
        {},
    ),
    "chapters and subtitles in many languages": (
        """README.md LICENSE requirements.txt chapters/{en,fr}/_toctree.yml chapters/en/chapter{0,1,2}/1.mdx
           chapters/en/chapter{1,2}/{2,3,3_tf,10}.mdx chapters/en/events/2.mdx
           chapters/{de,fr,it,ko,no,th,zh-CN}/chapter{0,1}/1.mdx chapters/fr/{events/3,glossary/1}.mdx
           subtitles/{en,fr,zh-CN}/{00_welcome,01_pipeline,tasks_00}.srt""",
        {
            "chapters/en/chapter0/1.mdx": 0,
            "chapters/en/chapter2/10.mdx": 2,
            "subtitles/en/01_pipeline.srt": 1,
        },
        {"no_lesson": 2, "translation": 22, "no_text_data": 2},
    ),
    "a website with each year's notes": (
        """README.md AGENTS.md ESTILOS.md CONTRIBUTING.md index.md about.md license.md 404.html
           _layouts/default.html docs/superpowers/plan.md
           _2019/{backups,index,web}.md _2020/{shell,index}.md _2026/{shell,index}.md ebook/README.md""",
        {"index.md": None, "_2019/index.md": None, "_2020/shell.md": 4},
        {"no_lesson": 5, "of_a_program": 2},
    ),
    "numbered notebooks and tidy copies of them": (
        """README.md README_{es,ko,pt,tr,zh}.md 0{1_intro,2_production,3_ethics}.md 10_words.md app_blog.md
           clean/0{1_intro,2_production,3_ethics}.md clean/10_words.md translations/cn/01_intro.md""",
        {"03_ethics.md": 3, "clean/10_words.md": 10, "app_blog.md": 11},
        {"translation": 6},
    ),
    "numbered notebooks and appendices": (
        """README.md INSTALL.md apt.txt requirements.txt 0{1_landscape,2_ends}.md 10_nets.md index.ipynb
           extra_math.md datasets/housing/{housing.csv,README.md} docker/README.md""",
        {"index.ipynb": None, "02_ends.md": 2, "10_nets.md": 10, "extra_math.md": 11},
        {"no_lesson": 3, "data_file": 1},
    ),
    "sections of chapters as notebooks": (
        """README.md LICENSE-CODE LICENSE-TEXT notebooks/0{0.00-Preface,1.00-Shell,1.01-Help,2.00-Arrays}.md
           notebooks/05.13-Density.md notebooks/data/births.csv notebooks_v1/02.00-Arrays.md""",
        {
            "notebooks/00.00-Preface.md": 0,
            "notebooks/05.13-Density.md": 5,
            "notebooks_v1/02.00-Arrays.md": 2,
        },
        {"no_lesson": 2, "data_file": 1},
    ),
    "kinds of material with numbers at the end": (
        """Syllabus.md Lecture_Notes/U6_006F11_lec0{1,2,3}.md Lecture_Notes/U6_006F11_lec01_orig.md
           Recitations/U6_006F11_rec0{1,2}.md Assignments/U6_006F11_ps{1,2,3}.md
           Assignments/U6_006F11_ps1_sol.md Exams/{U6_006F11_quiz2,final}.md""",
        {
            "Lecture_Notes/U6_006F11_lec01_orig.md": 1,
            "Recitations/U6_006F11_rec02.md": 2,
            "Assignments/U6_006F11_ps1_sol.md": 1,
            "Exams/U6_006F11_quiz2.md": 2,
            "Exams/final.md": 4,
        },
        {},
    ),
    "problem sets in weeks from 0 on": (
        """Week_0/{lecture0,notes0}.md Week_1/lecture1.md Week_1/pset1/{hello,cash}.md Week_1/lab1/README.md
           Week_2/lecture2.md Week_2/pset2/caesar.md Final_Project/README.md""",
        {
            "Week_0/notes0.md": 0,
            "Week_1/pset1/cash.md": 1,
            "Week_1/lab1/README.md": 1,
            "Week_2/pset2/caesar.md": 2,
        },
        {},
    ),
    "a book on top of its folder": (
        """README.md LICENSE.md CONTRIBUTING.md _quarto.yml index.qmd intro.qmd whole-game.qmd data-tidy.qmd
           data/students.csv""",
        {"index.qmd": None, "data-tidy.qmd": 1, "whole-game.qmd": 3},
        {"no_lesson": 2, "no_text_data": 1, "data_file": 1},
    ),
    "a German lecture": (
        """Vorlesung/VL0{1,2,3}.md Übung/{Blatt,Loesung}0{1,2}.md Tutorium/Tut1.md Klausuren/WS2019.md
           Skript.md""",
        {
            "Vorlesung/VL03.md": 3,
            "Übung/Blatt02.md": 2,
            "Übung/Loesung01.md": 1,
            "Tutorium/Tut1.md": 1,
            "Skript.md": 4,
        },
        {},
    ),
    "notes on top and assignments of each year": (
        """README.md index.html neural-networks-{1,2}.md assignments2016/assignment{1,2,3}.md
           slides/2016/winter1516_lecture{1,2,10}.md section/vectors.md _layouts/page.html""",
        {
            "assignments2016/assignment3.md": 3,
            "slides/2016/winter1516_lecture10.md": 10,
            "neural-networks-1.md": 11,
        },
        {"of_a_program": 1},
    ),
}


@pytest.fixture
def rag(tmp_path: Path, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    with library(tmp_path / "library", embedder, index=False) as opened:
        yield opened


def expanded(pattern: str) -> Iterator[str]:
    """Yield the names that a pattern with alternatives in braces stands for, as in a shell."""
    braces = re.search(r"\{([^{}]*)\}", pattern)
    if braces is None:
        yield pattern
        return
    for choice in braces[1].split(","):
        yield from expanded(pattern[: braces.start()] + choice + pattern[braces.end() :])


def language_of(name: str) -> str:
    return next((part for part in re.split(r"[/._]", name) if part in TEXTS), "")


@pytest.mark.parametrize("shape", REPOSITORIES)
def test_a_repository_is_one_course(
    shape: str, rag: RAGSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "en")
    files, numbers, left_out = REPOSITORIES[shape]
    folder = (tmp_path / "course").resolve()
    names = [name for pattern in files.split() for name in expanded(pattern)]
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(TEXTS[language_of(name)], encoding="utf-8")
    plan = rag.ingest.plan([folder], CancelToken())
    (course,) = plan.courses
    found = {file.path.removeprefix(f"{folder}/"): file.lesson_number for file in course.files}
    assert {name: found[name] for name in numbers} == numbers
    reasons = [item.reason.id.removeprefix("ingest.") for item in plan.left_out]
    assert {reason: reasons.count(reason) for reason in reasons} == left_out
    assert len(found) + len(reasons) == len(names)
