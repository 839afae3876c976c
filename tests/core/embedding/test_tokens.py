"""A unigram vocabulary is given to sentencepiece; the tokens stay those of the library tokenizers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

from app.core.embedding.scale import calibration
from app.core.embedding.tokens import load_tokenizer

if TYPE_CHECKING:
    from collections.abc import Iterator

QUESTIONS, PASSAGES, NAMES, TITLES = calibration()

LIMIT = 60
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
TEXTS = [
    *(QUESTIONS + PASSAGES),
    *(title for pair in TITLES for title in pair),
    "",
    " ",
    "  two  spaces\tand\n\nlines ",
    "Ｆｕｌｌ ｗｉｄｔｈ, ①②, e\u0301, \u200bzero width",
    "unknown 𓀀𓀁 and 😀, 日本語",
    "▁ its own sign for a space ▁▁",
    "word " * 500,
    "w" * 500,
]


@pytest.fixture(scope="module")
def unigram() -> Tokenizer:
    """As multilingual-e5-small's is built, with a small vocabulary."""
    tokenizer = Tokenizer(models.Unigram())
    spaces = normalizers.Replace(Regex(" {2,}"), " ")
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), spaces])
    parts = [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="always")]
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(parts)
    trainer = trainers.UnigramTrainer(
        vocab_size=400, special_tokens=SPECIAL, unk_token="<unk>", show_progress=False
    )
    tokenizer.train_from_iterator(TEXTS[:48], trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    return tokenizer


def expected(tokenizer: Tokenizer, texts: list[str]) -> Iterator[list[int]]:
    tokenizer.enable_truncation(LIMIT)
    for encoding in tokenizer.encode_batch(texts):
        yield encoding.ids
    tokenizer.no_truncation()


def test_the_tokens_are_the_same(unigram: Tokenizer) -> None:
    tokenize = load_tokenizer(unigram.to_str(), LIMIT)
    for text, mine, theirs in zip(TEXTS, tokenize(TEXTS), expected(unigram, TEXTS), strict=True):
        assert mine == theirs, text
    assert tokenize([TEXTS[0]]) == tokenize(TEXTS[:1])


def test_special_tokens_in_a_text_are_only_text(unigram: Tokenizer) -> None:
    (tokens,) = load_tokenizer(unigram.to_str(), LIMIT)(["</s> <mask>"])
    assert tokens[0] == 0
    assert tokens[-1] == 2
    assert not {0, 1, 2, 4}.intersection(tokens[1:-1])


def test_what_is_not_done_here_is_left_to_tokenizers(unigram: Tokenizer) -> None:
    other = Tokenizer.from_str(unigram.to_str())
    other.add_tokens([AddedToken("mitosis", normalized=True)])
    texts = ["the mitosis of cells"]
    assert load_tokenizer(other.to_str(), LIMIT)(texts) == list(expected(other, texts))
    behind = Tokenizer.from_str(unigram.to_str())
    behind.add_special_tokens(["<behind the pieces>"])
    assert load_tokenizer(behind.to_str(), LIMIT)(texts) == list(expected(behind, texts))


@pytest.mark.parametrize("damage", ["cut", "no pieces", "not a score"])
def test_a_damaged_file_is_an_error(unigram: Tokenizer, damage: str) -> None:
    content = unigram.to_str()
    if damage == "cut":
        content = content[: len(content) // 2]
    else:
        file = json.loads(content)
        file["model"]["vocab"] = [] if damage == "no pieces" else [["a", "b"]]
        content = json.dumps(file)
    with pytest.raises(Exception, match=r"."):
        load_tokenizer(content, LIMIT)
