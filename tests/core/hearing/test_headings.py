"""The slides beside a recording give its transcript headings."""

from app.core.documents.document_processor import DocumentProcessor
from app.core.documents.transcript_text import (
    beginning,
    corrected,
    paragraphs_of,
    text_of,
    unsure_words,
    with_headings,
    written,
)
from app.core.hearing.headings import headings, slides_in
from app.domain.documents import Anchor, AnchorMark, DocumentText

SAID = [
    "Today it is all about the bees and how they find food.",
    "When a bee has found food, she runs a waggle dance in her hive.",
    "The angle of that run points from the sun to the flowers.",
    "Now where do they live? A hive holds combs of wax, thousands of cells.",
    "In these cells the queen lays her eggs.",
]
SLIDES = [
    "Bees\nA lecture",
    "The waggle dance\nAngle to the sun\nDuration of the run",
    "Exercises\nDraw a circle",
    "# Combs of wax\nCells",
    "Anything that ends with a stop is no title.\nQueen, eggs",
    "Lesson 2: Eggs\nQueen",
]


def slides() -> DocumentText:
    starts = [len("\n\n".join([*SLIDES[:n], ""])) for n in range(len(SLIDES))]
    marks = tuple(AnchorMark(start, Anchor("slide", n)) for n, start in enumerate(starts, 1))
    return DocumentText("\n\n".join(SLIDES), marks)


def test_titles_stand_where_their_slides_are_spoken_of() -> None:
    found = headings(SAID, slides_in(slides()))
    assert found == {0: "Bees", 1: "The waggle dance", 3: "Combs of wax"}
    assert headings([], slides_in(slides())) == headings(SAID, []) == {}
    assert (
        slides_in(DocumentText("A page\n" + "full of text " * 200, (AnchorMark(0, Anchor("page", 1)),))) == []
    )


def test_headings_stay_through_corrections() -> None:
    cues = [
        (20.0 * n, 20.0 * n + 9, [(f" {word}", word == "hive.") for word in said.split()])
        for n, said in enumerate(SAID)
    ]
    plain = beginning("Whisper base") + written(cues)
    paragraphs = paragraphs_of(text_of(plain))
    assert list(paragraphs) == [0, 20, 40, 60, 80]
    vtt = with_headings(plain, {20.0: "The waggle dance", 60.0: "Combs"})
    document = text_of(vtt)
    assert document.text == "\n\n".join([SAID[0], "## The waggle dance", *SAID[1:3], "## Combs", *SAID[3:]])
    assert DocumentProcessor().parse(document, "01 Bees.mp3").heading == ""
    (unsure,) = unsure_words(vtt, document)
    assert document.text[slice(*unsure)] == "hive."
    better = text_of(corrected(vtt, document, *unsure, "skep, a basket."))
    assert better.text == document.text.replace("hive.", "skep, a basket.")
    assert paragraphs_of(better)[20.0] == SAID[1].replace("hive.", "skep, a basket.")
