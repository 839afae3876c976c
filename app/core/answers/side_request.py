"""One request beside an answer, to the cheapest model: no tools, a short reply, its cost."""

from collections.abc import Callable
from contextlib import aclosing
from dataclasses import replace

from app.core.answers.costs import price_list
from app.core.answers.model_settings import ModelSettings
from app.core.answers.prompts import load_prompt
from app.core.answers.providers.base import ModelProvider, TextDelta, Turn
from app.domain.errors import LecternError
from app.domain.model_servers import Usage

_LONGEST_REPLY = 20_000  # characters


def cheapest_model(connection: ModelSettings) -> str:
    """Return the model for side requests: a server of one's own may have only the one that is set."""
    return connection.model if connection.is_own_server else price_list().cheapest


async def ask_cheapest(
    connection: ModelSettings,
    make_provider: Callable[[ModelSettings], ModelProvider],
    prompt: str,
    question: str,
    max_tokens: int,
) -> tuple[str, Usage]:
    """Return the reply to a question under the prompt of a name, and its cost.

    Of a reply that breaks off what came counts; raises what :meth:`ModelProvider.reply` raises if it cost
    nothing.
    """
    model = cheapest_model(connection)
    settings = replace(connection, model=model, max_tokens=max_tokens, longest_answer=_LONGEST_REPLY)
    turn = Turn((question,), system=(load_prompt(prompt),), may_call=False)
    reply, usage = "", Usage()
    async with aclosing(make_provider(settings)) as provider:
        await provider.abilities()
        try:
            async with aclosing(provider.reply(turn)) as events:
                async for event in events:
                    if isinstance(event, TextDelta):
                        reply = (reply + event.text)[:_LONGEST_REPLY]
                    elif isinstance(event, Usage):
                        usage = event
        except LecternError:
            if not usage.tokens:
                raise
    return reply, replace(usage, cost=price_list().cost(model, usage))
