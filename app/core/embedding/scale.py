"""How a model's cosines compare with the default model's.

Every constant of the search was fitted to the default model, whose cosines between a question and
unrelated passages lie around 0.03. Other models place the same texts elsewhere: multilingual-e5-small has
them all between 0.7 and 0.9. So a model's cosines between the questions and passages below are measured
when it is exported, and mapped to the mean and the spread that the default model's have.

Names of courses are too short for that scale. Much of what the vector of a few words says is that they are
few, and no sentence: so the means of names and of titles are taken away before the two are compared.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.domain.embedding_models import IDENTITY, CosineScale


class NameScale(NamedTuple):
    """Tells how alike a course's name is to titles, on the scale of the default model's cosines."""

    names: Sequence[float] = ()  # mean of their vectors; the default model's are compared as they are
    titles: Sequence[float] = ()
    factor: float = 1.0
    offset: float = 0.0

    def of(self, name: NDArray[np.float32], titles: NDArray[np.float32]) -> NDArray[np.float32]:
        if not self.names:
            return titles @ name
        alike = _centred(titles, self.titles) @ _centred(name, self.names)
        return alike * self.factor + self.offset


COSINES = NameScale()  # the default model's


def measured_scale(questions: NDArray[np.float32], passages: NDArray[np.float32]) -> CosineScale:
    """Return the scale of the model that gave these vectors to :data:`QUESTIONS` and :data:`PASSAGES`.

    A model whose cosines do not differ keeps them.
    """
    cosines = questions @ passages.T
    spread = float(cosines.std())
    if spread < _LEAST_SPREAD:
        return IDENTITY
    factor = _DEFAULT_SPREAD / spread
    return CosineScale(factor, _DEFAULT_MEAN - factor * float(cosines.mean()))


def measured_names(names: NDArray[np.float32], titles: NDArray[np.float32]) -> NameScale:
    """Return the scale of the model that gave these vectors to :data:`NAMES` and :data:`TITLES`.

    With a model that does not tell them apart, no name is alike to any title.
    """
    means = names.mean(axis=0), titles.mean(axis=0)
    own, nearest = own_and_nearest(_centred(names, means[0]) @ _centred(titles, means[1]).T)
    factor = offset = 0.0
    if own - nearest >= _LEAST_GAP:
        default_own, default_nearest = DEFAULT_OWN_AND_NEAREST
        factor = (default_own - default_nearest) / (own - nearest)
        offset = default_own - factor * own
    return NameScale(tuple(means[0].tolist()), tuple(means[1].tolist()), factor, offset)


def own_and_nearest(cosines: NDArray[np.float32]) -> tuple[float, float]:
    """Return the mean cosine of each name to its own title, and to the nearest of the others."""
    others = np.where(np.eye(len(cosines), dtype=bool), -1, cosines)
    return float(cosines.diagonal().mean()), float(others.max(axis=1).mean())


def _centred(
    vectors: NDArray[np.float32], mean: Sequence[float] | NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return vectors of length 1 without what all of their kind share."""
    rest = vectors - np.asarray(mean, np.float32)
    lengths = np.linalg.norm(rest, axis=-1, keepdims=True)
    return np.asarray(rest / np.maximum(lengths, _LEAST_LENGTH), np.float32)


# Of the default model's cosines between all questions and passages below
_DEFAULT_MEAN, _DEFAULT_SPREAD = 0.059, 0.123
_LEAST_SPREAD = 0.005
# Of its cosines between names and titles
DEFAULT_OWN_AND_NEAREST = (0.517, 0.211)
_LEAST_GAP, _LEAST_LENGTH = 0.05, 1e-6

# Three of each subject, so that there are matches, neighbours and strangers.
_PAIRS = (
    (
        "How do plants make sugar?",
        "In photosynthesis the energy of light is used to turn carbon dioxide and water into glucose,"
        " while oxygen is given off through the leaves.",
    ),
    (
        "What do mitochondria do?",
        "Most of a cell's energy is released in its mitochondria, where sugars are broken down and the"
        " molecule ATP is built, which every other part of the cell runs on.",
    ),
    (
        "Why are some genes dominant?",
        "A dominant allele shows itself even where only one copy was inherited; the recessive one is"
        " hidden until a child receives it from both parents.",
    ),
    (
        "When did the Roman Republic end?",
        "After the battle of Actium in 31 BC nobody was left to oppose Octavian. Four years later the"
        " senate gave him the name Augustus, and the republic was one in name only.",
    ),
    (
        "Who paid for the cathedrals of the Middle Ages?",
        "Building went on for generations. Bishops gave part of their income, guilds gave windows, and"
        " pilgrims left coins before the relics.",
    ),
    (
        "What caused the revolt of the weavers?",
        "Machines had halved the price of cloth within ten years. Families who wove at home could no"
        " longer buy bread, and in June they broke into the merchants' houses.",
    ),
    (
        "How is a vector database different from a relational one?",
        "Rows are not looked up by a key here. Each text is stored with its embedding, and a query"
        " returns the entries whose vectors lie nearest to its own.",
    ),
    (
        "Why should I use a virtual environment?",
        "Two projects may need different versions of the same package. With an environment for each,"
        " installing one leaves the other, and the system, alone.",
    ),
    (
        "What is the difference between a list and a tuple?",
        "Both hold values in order. A list can be changed after it was made, with append or by assigning"
        " to an index, whereas a tuple stays as it is and can be a dictionary's key.",
    ),
    (
        "What does a p-value tell me?",
        "It is the probability of a result at least as extreme as the one observed if the null hypothesis"
        " were true. It is not the probability that the hypothesis is true.",
    ),
    (
        "When should I use the median instead of the mean?",
        "A single very large income pulls the average up, although nobody else earns more. The middle"
        " value is hardly moved by such outliers, so skewed data are better described by it.",
    ),
    (
        "How do I find the derivative of a product?",
        "Differentiate the first factor and multiply it by the second, then add the first multiplied by"
        " the derivative of the second: (fg)' = f'g + fg'.",
    ),
    (
        "Why does the moon cause tides?",
        "Its gravity pulls more strongly on the near side of the earth than on the far side. The water"
        " bulges towards it and away from it, and the coast turns through both bulges each day.",
    ),
    (
        "How do earthquakes begin?",
        "Plates that are stuck along a fault go on being pushed until the rock gives way. The strain of"
        " decades is released within seconds and runs outwards as waves.",
    ),
    (
        "What makes the wind blow?",
        "Air flows from where its pressure is high to where it is low. Because the sun heats the equator"
        " more than the poles, such differences never even out.",
    ),
    (
        "How can a company raise capital?",
        "It can borrow from a bank, sell bonds that are repaid with interest, or issue new shares, whose"
        " owners take part in its profit and vote at its meetings.",
    ),
    (
        "What happens to prices when supply falls?",
        "If less of a good is offered while just as many want it, buyers outbid each other. The price"
        " climbs until some of them go without.",
    ),
    (
        "Why do central banks change interest rates?",
        "Dearer credit slows spending and with it inflation; cheaper credit helps firms to invest when"
        " demand is weak. The bank sets the rate at which others borrow from it.",
    ),
    (
        "How long should sourdough rise?",
        "Leave the dough in a warm place until it has doubled, four to six hours with a lively starter."
        " In the refrigerator it takes a night, and the loaf tastes more sour.",
    ),
    (
        "How do I keep my knives sharp?",
        "Draw the blade across a wet stone at an angle of about twenty degrees, ten times on each side,"
        " and finish with the fine grain. A steel only straightens the edge.",
    ),
    (
        "Which vegetables can I plant in March?",
        "Broad beans, onions and spinach stand a late frost and may be sown as soon as the soil can be"
        " worked. Tomatoes stay on the window sill until May.",
    ),
    (
        "What are the side effects of this medicine?",
        "One in ten patients had headaches or felt sick during the first week. Rashes were rare; if one"
        " appears, stop taking the tablets and ask your doctor.",
    ),
    (
        "How does a vaccine protect against a virus?",
        "It shows the immune system a harmless part of the pathogen. Memory cells remain, so that"
        " antibodies are made within hours when the real one arrives.",
    ),
    (
        "Why is sleep important for memory?",
        "What was learned by day is replayed in the hippocampus at night and moved to the cortex. Those"
        " who were woken in deep sleep recalled a third less the next morning.",
    ),
)
QUESTIONS = tuple(question for question, _ in _PAIRS)
PASSAGES = tuple(passage for _, passage in _PAIRS)

# Each of another subject: whatever is not the own title is a stranger.
_COURSES = (
    ("making scarves and jumpers from wool", "Knitting for Everyone"),
    ("stars, planets and galaxies", "Introduction to Astronomy"),
    ("carbon compounds and their reactions", "Organic Chemistry I"),
    ("the fall of the monarchy in 1789", "The French Revolution"),
    ("how computers learn from data", "Machine Learning Basics"),
    ("how to keep a company's books", "Principles of Accounting"),
    ("bones, muscles and organs of the body", "Human Anatomy"),
    ("animals and plants of the sea", "Marine Biology"),
    ("how offences are punished", "Criminal Law"),
    ("understanding chords and scales", "Music Theory for Beginners"),
    ("storing tables and querying them", "Relational Databases and SQL"),
    ("how children's minds grow", "Developmental Psychology"),
    ("structures that carry roads across rivers", "Building Bridges"),
    ("calculating chances and risk", "Introduction to Probability"),
    ("the ideas of Plato and Aristotle", "Ancient Greek Philosophy"),
    ("taking better pictures with a camera", "Photography Workshop"),
    ("why it rains and the earth gets warmer", "Climate and Weather"),
    ("how to win customers for a product", "Marketing Strategy"),
    ("caring for patients on the ward", "Nursing Fundamentals"),
    ("protecting computers against attackers", "Network Security"),
    ("plays like Hamlet and Macbeth", "Shakespeare's Tragedies"),
    ("currents, resistors and capacitors", "Electric Circuits"),
    ("wages, jobs and unemployment", "Labour Economics"),
    ("growing vegetables on a balcony", "Gardening for Small Spaces"),
)
NAMES = tuple(name for name, _ in _COURSES)
TITLES = tuple(title for _, title in _COURSES)
