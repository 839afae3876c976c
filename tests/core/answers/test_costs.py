from __future__ import annotations

import json
import re
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.config.settings import DEFAULT_MODEL
from app.core.answers.costs import Price, month_start, price_list
from app.domain.model_servers import Spending, Usage
from app.domain.scope import Scope
from tests.support.answering import ask, settings_for
from tests.support.scripted_turns import Text, Turn

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from tests.support.anthropic_server import AnthropicServer

MILLION = Usage(1_000_000, 1_000_000, 1_000_000, 1_000_000)


def test_each_kind_of_token_has_its_price() -> None:
    price = Price(input=2.0, output=10.0, cache_read=0.1, cache_write=2.5)
    assert price.of(Usage(1_000_000)) == 2.0
    assert price.of(Usage(0, 1_000_000)) == 10.0
    assert price.of(Usage(0, 0, 1_000_000)) == pytest.approx(0.1)
    assert price.of(Usage(0, 0, 0, 1_000_000)) == 2.5
    assert price.of(Usage(1200, 300, 2000, 0)) == pytest.approx(0.0056)


def test_the_list_has_a_date_and_the_default_model() -> None:
    listed = price_list()
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", listed.date)
    assert listed.cost(DEFAULT_MODEL, MILLION)


def test_every_price_is_plausible() -> None:
    for model, (price, _, _) in price_list().prices.items():
        assert 0 < price.cache_read < price.input < price.cache_write < price.output, model


@pytest.mark.parametrize(
    "written",
    [
        "claude-sonnet-4-5",
        "claude-sonnet-4-5-20250929",
        "claude-sonnet-4-5-latest",
        "Claude-Sonnet-4-5",
        "anthropic/claude-sonnet-4-5",
        "anthropic.claude-sonnet-4-5-20250929-v1:0",
        "eu.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "claude-sonnet-4-5@20250929",
    ],
)
def test_a_model_is_known_however_its_host_writes_it(written: str) -> None:
    assert price_list().cost(written, Usage(1_000_000)) == 3.0


@pytest.mark.parametrize("model", ["qwen3:8b", "claude-sonnet-99", "claude", "", None, "gpt-claude-sonnet"])
def test_an_unknown_model_has_no_price(model: str | None) -> None:
    assert price_list().cost(model, MILLION) is None


def test_long_prompts_cost_more_where_the_list_says_so(tmp_path: Path) -> None:
    file = tmp_path / "prices.json"
    small = {"input": 1, "output": 2, "cache_read": 0.1, "cache_write": 1.25}
    large = {"above_tokens": 1000, "input": 10, "output": 20, "cache_read": 1, "cache_write": 12.5}
    data = {
        "date": "2026-01-01",
        "source": "x",
        "models": {"claude-test-1": {**small, "long_prompts": large}},
    }
    file.write_text(json.dumps(data), encoding="utf-8")
    listed = price_list(file)
    assert listed.cost("claude-test-1", Usage(400, 0, 600)) == pytest.approx(0.00046)
    assert listed.cost("claude-test-1", Usage(401, 0, 600)) == pytest.approx(0.00461)


def test_what_the_server_counted_is_what_is_priced(server: AnthropicServer) -> None:
    server.script(Turn(Text("Yes.")), Turn(Text("Yes.")))
    first, second = ask(settings_for(server)).usage, ask(settings_for(server)).usage
    assert first.cache_write_tokens > 0
    assert second.cache_read_tokens == first.cache_write_tokens
    costs = [price_list().cost("claude-sonnet-5-5", usage) for usage in (first, second)]
    assert costs[0] is not None
    assert costs[1] is not None
    assert costs[1] < costs[0] / 2, "the cache pays"


def test_the_month_begins_on_its_first_day() -> None:
    noon = time.mktime((2026, 11, 21, 12, 0, 0, 0, 0, -1))
    assert time.localtime(month_start(noon))[:5] == (2026, 11, 1, 0, 0)


def test_the_months_answers_are_summed(rag: RAGSystem) -> None:
    conversation = rag.conversations.create_session()
    for cost in (0.25, 0.5, None):
        exchange = rag.conversations.begin_exchange(conversation, "?", Scope(), "claude-sonnet-5-5")
        usage = Usage(10, 20, 30, 40, cost)
        rag.conversations.save(replace(exchange, usage=usage))
    spent = rag.conversations.spent_since(time.time() - 60, budget=3)
    assert spent == Spending(0.75, 300, 90, 3, 3)
    assert spent.share == 0.25
    assert rag.conversations.spent_since(time.time() + 60) == Spending()
    assert Spending().share == 0
