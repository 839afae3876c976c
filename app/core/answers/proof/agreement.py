"""Whether the facts of a claim agree with the sentences it is held against."""

import re
from collections.abc import Sequence

from app.core.answers.proof.comparison import Comparison
from app.core.answers.proof.evidence import Evidence, Sentence, folded
from app.core.answers.proof.name_agreement import wrong_name
from app.core.answers.proof.number_agreement import wrong_number
from app.core.answers.proof.word_agreement import opposite, wrong_negation
from app.domain.messages import Message

_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]{2,400})[\"”“»]")
_FEWEST_QUOTED = 4  # words; fewer are a name, or the answer's own way of speaking
_TITLED = 0.5  # share of words with a capital letter from which on they are the title of something


def disagreement(claim: Sentence, evidence: Evidence, near: Sequence[int]) -> Message | None:
    """Return what of a claim its evidence does not say, or says otherwise; None if all of it agrees.

    Args:
        claim: the sentence.
        evidence: of the whole answer.
        near: the sentences that have most to do with the claim, best first.
    """
    compared = Comparison(claim, evidence, near)
    return next((found for check in CHECKS if (found := check(compared))), None)


def _wrong_quote(compared: Comparison) -> Message | None:
    for quoted in _QUOTED.findall(compared.claim.text):
        words = quoted.split()
        is_title = sum(word[0].isupper() for word in words) > _TITLED * len(words)
        known = is_title or folded(quoted) in compared.evidence.folded_text
        if len(words) >= _FEWEST_QUOTED and not known:
            return Message("proof.not_quoted", quote=" ".join(words))
    return None


CHECKS = (_wrong_quote, wrong_number, wrong_name, wrong_negation, opposite)
