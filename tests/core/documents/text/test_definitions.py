"""Which sentences define something, and what."""

from __future__ import annotations

import pytest

from app.core.documents.text.definitions import definition_in


@pytest.mark.parametrize(
    ("sentence", "language", "term"),
    [
        ("Osmosis is the diffusion of water across a membrane.", "en", "Osmosis"),
        ("A sourdough starter is flour and water in which wild yeast lives.", "en", None),  # no kind of thing
        ("An outlier, also called a stray value, is a value far from the rest.", "en", "outlier"),
        ("Spores (1n) are haploid cells that can grow into an organism.", "en", "Spores"),
        ("Glycolysis is defined as the breakdown of glucose in the cytoplasm.", "en", "Glycolysis"),
        ("The probability of avoiding a miss is called the power of the test.", "en", "power of the test"),
        ("Antibodies that mark the body's own cells are termed “autoantibodies”.", "en", "autoantibodies"),
        ("The **cell membrane** regulates what enters and leaves a living cell.", "en", "cell membrane"),
        ("**Osmosis**: the diffusion of water across a membrane of a cell", "en", "Osmosis"),
        ("- **Turgor:** the pressure of water inside a plant cell.", "en", "Turgor"),
        ("* *Lysis* – the bursting of a cell that took up water.", "en", "Lysis"),
        ("Osmosis\n: The diffusion of water across a membrane.", "en", "Osmosis"),
        ("- **Osmose**: die Diffusion von Wasser durch eine Membran", "de", "Osmose"),
        ("Unter einem Rechenproblem versteht man eine Aufgabe für einen Computer.", "de", "Rechenproblem"),
        ("Eine Primzahl ist eine natürliche Zahl mit genau zwei Teilern.", "de", "Primzahl"),
        ("Als Osmose bezeichnet man die Diffusion von Wasser durch eine Membran.", "de", "Osmose"),
        (
            "Der gesamte weltweite Konflikt wird als Siebenjähriger Krieg bezeichnet.",
            "de",
            "Siebenjähriger Krieg",
        ),
        ("Die Eigenschaft, prim zu sein, wird Primzahleigenschaft genannt.", "de", "Primzahleigenschaft"),
        ("Un número primo es un número natural con solo dos divisores.", "es", "número primo"),
        ("Se llama ósmosis a la difusión de agua a través de una membrana.", "es", "ósmosis"),
        ("Enzyme sind Proteine, die chemische Reaktionen schneller machen.", "de", "Enzyme"),
        (
            "Die Wanderung von Teilchen im Feld bezeichnet man als Elektrophorese.",
            "de",
            "Elektrophorese",
        ),
        ("Las enzimas son proteínas que aceleran las reacciones químicas.", "es", "enzimas"),
        ("Al paso de un líquido a gas se le llama evaporación en la física.", "es", "evaporación"),
        ("The war over the colonies is known as the Seven Years' War.", "en", "Seven Years' War"),
        (
            "Un método simple para ver si un número es primo se conoce como división de prueba.",
            "es",
            "división de prueba",
        ),
        ("Por fotosíntesis se entiende la formación de azúcar con ayuda de la luz.", "es", "fotosíntesis"),
    ],
)
def test_a_sentence_that_defines_a_term_is_found(sentence: str, language: str, term: str | None) -> None:
    found = definition_in(sentence, language)
    assert (found and found.term) == term


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("It is the diffusion of water across a membrane of a cell.", "en"),
        ("This process is called osmosis, and plants depend on it.", "en"),
        ("The idea is called retrieval, and everybody shortens it.", "en"),
        ("A causes B. B causes A, which is called reverse causation.", "en"),
        ("Osmosis is the diffusion of water shown in Figure 3 of the book.", "en"),
        ("Osmosis is the diffusion of water across these membranes.", "en"),
        ("A small p-value means that something rare has happened or the hypothesis is wrong.", "en"),
        ("Independent means that knowing one tells you nothing about the other.", "en"),
        ("Searching means finding the passages whose vectors are near the question.", "en"),
        ("The simplest measure is the range, the largest value minus the smallest.", "en"),
        ("The answer is the number of values that the sample holds.", "en"),
        ("Overfishing is a serious threat to many species of fish in the sea.", "en"),
        ("The next parameter we'll look at today is called temperature.", "en"),
        ("Water’s high heat capacity is a property of its hydrogen bonds.", "en"),
        ("What is the diffusion of water across a membrane called in biology?", "en"),
        ("Osmosis is a process.", "en"),
        ("**Note**: the diffusion of water is not meant by any of it.", "en"),
        ("**Hypothesis**: Develop one that tells how the bones will bend.", "en"),
        ("Osmosis is the diffusion of <b onclick=x>water</b> across a membrane.", "en"),
        ("**Osmosis**: the diffusion of <img src=x> water across a membrane.", "en"),
        ("**Lampreys** are similar to hagfishes in the size and the shape of the body.", "en"),
        ("**Important** words stand in bold, wherever they are in a text.", "en"),
        ("Shenzhen is the largest city of the delta, and many people move there.", "en"),
        ("Insects are the animals with six legs, and therefore they carry more viruses.", "en"),
        ("Behavioral biology is the study of the evolutionary bases for such changes.", "en"),
        ("Cryptochromes are another class of photoreceptors that absorb blue light.", "en"),
        ("Osmosis is a concept that people avoid because it is not easily explained.", "en"),
        ("The spindles are depolymerized into monomers that will be used again.", "en"),
        ("Ethylene is associated with the ripening of fruit in many plants.", "en"),
        ("The linearity of the count means that there is only one coefficient.", "en"),
        ("The name “lava” means that the rock is washed down the mountain.", "en"),
        ("A third variable causes both; the variable is called a confounder.", "en"),
        ("Although Mendel is referred to as the father of genetics, he had no tools.", "en"),
        ("Die Aorta ist die größte Schlagader im Körper eines Menschen.", "de"),
        ("Das Fieber ist eine Folge solcher Vorgänge im Körper des Menschen.", "de"),
        ("Madrid es la ciudad más grande de España y de la península ibérica.", "es"),
        ("La evaporación es el paso a gas de dicha sustancia en la atmósfera.", "es"),
        ("Dies ist die Diffusion von Wasser durch eine Membran der Zelle.", "de"),
        ("Das Protokoll ist ein Beispiel für ein Datagrammprotokoll im Netz.", "de"),
        ("Darüber hinaus ist eine Schule eine nicht geförderte Einrichtung.", "de"),
        ("James Hutton wird oft als der erste moderne Geologe angesehen.", "de"),
        ("Hoy en día, esto se conoce como la teoría del miasma en la ciencia.", "es"),
        ("El protocolo es un ejemplo de un protocolo de datagrama en la red.", "es"),
        ("The four compartments of the stomach are called the rumen, reticulum, and abomasum.", "en"),
        ("The skin on both sides of the leaf is called the upper and lower epidermis, respectively.", "en"),
        ("Mice are advantageous in that they breed fast and need little room.", "en"),
        ("The **posterior pituitary** is significantly different from the anterior pituitary.", "en"),
        ("Die Region ist die Heimat von zwei Metropolen mit vielen Einwohnern.", "de"),
        ("L'osmose est la diffusion de l'eau à travers une membrane.", "fr"),  # not known
    ],
)
def test_a_sentence_that_defines_nothing_by_itself_is_left_out(sentence: str, language: str) -> None:
    assert definition_in(sentence, language) is None


def test_a_term_is_marked_if_the_author_sets_it_off_or_says_that_it_is_called_so() -> None:
    bold = definition_in("**Osmosis** is the diffusion of water across a membrane.", "en")
    plain = definition_in("Osmosis is the diffusion of water across a membrane.", "en")
    named = definition_in("The diffusion of water across a membrane is called osmosis.", "en")
    assert [one and one.is_marked for one in (bold, plain, named)] == [True, False, True]
    assert bold is not None
    assert bold.sentence == "Osmosis is the diffusion of water across a membrane."
