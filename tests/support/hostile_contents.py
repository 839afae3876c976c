"""What a hostile server can put into an answer that arrives as it should; see ``hostile_cases.py``."""

from __future__ import annotations

import base64
from urllib.parse import quote

from tests.support.hostile_messages import (
    DONE,
    KEY,
    OVER,
    TEXT_BLOCK,
    Case,
    block,
    case,
    cited,
    delta,
    end,
    error,
    hello,
    nested,
    redirected,
    refused,
    said,
    start,
    stop,
    stream,
    text,
    tool,
    whole,
)
from tests.support.hostile_server import JSON, Answer

DIGITS = "9" * 5000
HUGE = "1" + "0" * 400
HALF = "\\ud83d"  # of a character, as JSON spells it
BIG_BLOCK = {"type": "of_the_future", "things": ["x" * 100] * 10}
FINE = stream(*said("Hello."))

EVENTS: dict[str, Case] = {
    "nothing at all": case(stream(), says="not an answer"),
    "null": case(hello("null"), state=DONE, text="Hello."),
    "a number": case(hello("17"), state=DONE, text="Hello."),
    "a list": case(hello("[1, 2]"), state=DONE, text="Hello."),
    "a string": case(hello('"Hello"'), state=DONE, text="Hello."),
    "[DONE]": case(stream(*said("Hello."), "[DONE]"), state=DONE, text="Hello."),
    "JSON that is cut": case(hello('{"type": "content'), text="Hello"),
    "JSON of another kind": case(hello("<x/>"), text="Hello"),
    "nested 100,000 deep": case(hello(nested(100_000)), text="Hello"),
    "nested 400 deep": case(hello(nested(400)), state=DONE, text="Hello."),
    "number of 5,000 digits": case(hello(DIGITS), text="Hello"),
    "number of 10^400": case(hello(HUGE), state=DONE, text="Hello."),
    "NaN": case(hello("NaN"), state=DONE, text="Hello."),
    "Infinity": case(hello('{"type": "content_block_delta", "index": Infinity}'), state=DONE, text="Hello."),
    "type that is a list": case(hello('{"type": [1], "index": 0}'), state=DONE, text="Hello."),
    "unknown event": case(hello({"type": "news", "index": 0}), state=DONE, text="Hello."),
    "no start": case(stream(*said("Hello.")[1:]), state=DONE, text="Hello."),
    "two starts": case(stream(start(), *said("Hello.")), state=DONE, text="Hello."),
    "message that is null": case(
        stream({"type": "message_start", "message": None}, *said("Hi.")[1:]), state=DONE
    ),
    "start within the answer": case(hello(start(model=7)), state=DONE, text="Hello."),
    "end at the start": case(stream(OVER), state=DONE, says="wrote nothing"),
    "words after the end": case(stream(*said("Hello."), text(" More.")), state=DONE, text="Hello."),
    "word before its block": case(
        stream(start(), text("Lost"), *said("Hello.")[1:]), state=DONE, text="Hello."
    ),
    "index that is text": case(hello(text("x", "0")), state=DONE, text="Hello."),
    "index that is negative": case(hello(text("x", -5)), state=DONE, text="Hello."),
    "index that is true": case(hello(text("x", True)), state=DONE, text="Hello."),
    "index that is a list": case(hello(text("x", [0])), state=DONE, text="Hello."),
    "index of 10^400": case(hello(f'{{"type": "content_block_delta", "index": {HUGE}}}'), state=DONE),
    "block twice": case(hello(TEXT_BLOCK), state=DONE, text="Hello."),
    "stop twice": case(hello(stop(), stop()), state=DONE, text="Hello."),
    "stop of no block": case(hello(stop(99)), state=DONE, text="Hello."),
    "block that is null": case(hello(block(None, 1)), state=DONE, text="Hello."),
    "block that is a list": case(hello(block([1], 1)), state=DONE, text="Hello."),
    "block of no type": case(hello(block({"type": {}}, 1)), state=DONE, text="Hello."),
    "block of the future": case(hello(block(BIG_BLOCK, 1), stop(1)), state=DONE, text="Hello\n\n."),
    "block nested deep": case(
        hello(f'{{"type": "content_block_start", "index": 1, "content_block": {{"x": {nested(400)}}}}}'),
        state=DONE,
        text="Hello.",
    ),
    "delta that is null": case(hello(delta(None)), state=DONE, text="Hello."),
    "delta of no type": case(hello(delta({"type": None})), state=DONE, text="Hello."),
    "text that is a number": case(hello(text(7)), state=DONE, text="Hello."),
    "text that is null": case(hello(text(None)), state=DONE, text="Hello."),
    "text of a block that is a list": case(
        hello(block({"type": "text", "text": [1]}, 1)), state=DONE, text="Hello."
    ),
    "half a character": case(hello(f'{{"type": "x", "y": "{HALF}"}}', text("\ud83d")), state=DONE),
    "a character in two halves": case(stream(*said("\ud83d", "\ude00")), state=DONE, text="\U0001f600"),
    "lone half in everything": case(
        stream(
            start(model="\ud83d", id="\ud83d"),
            TEXT_BLOCK,
            text("Hi"),
            cited({"cited_text": "\ud83d"}),
            stop(),
            end("\udc00"),
        ),
        state=DONE,
    ),
}

CITATIONS: dict[str, Case] = {
    f"citations of a block that are {name}": case(
        stream(start(), block({"type": "text", "text": "Hi", "citations": value}), stop(), end(), OVER),
        state=DONE,
        text="Hi",
    )
    for name, value in {
        "a number": 7,
        "text": "x",
        "an object": {"source": 1},
        "numbers": [1, 2],
        "lists": [[], [1]],
        "null": [None],
    }.items()
} | {
    f"citation with {name}": case(hello(cited(value)), state=DONE, text="Hello.")
    for name, value in {
        "null for it": None,
        "a list for it": [1],
        "nothing in it": {},
        "wrong types": {"source": 1, "cited_text": [], "start_block_index": "0", "end_block_index": {}},
        "huge numbers": {
            "source": "x",
            "cited_text": "y",
            "start_block_index": 10**30,
            "end_block_index": 10**40,
        },
        "negative numbers": {
            "source": "x",
            "cited_text": "y",
            "start_block_index": -9,
            "end_block_index": -1,
        },
        "true for a number": {
            "source": "x",
            "cited_text": "y",
            "start_block_index": True,
            "end_block_index": True,
        },
        "half a character": {"source": "\ud83d", "cited_text": "\ud83d"},
        "a huge quotation": {"source": "x", "cited_text": "y" * 10_000},
        "another type": {"type": "char_location", "document_index": 0, "cited_text": "x"},
    }.items()
}

FIELDS: dict[str, Case] = (
    {
        f"usage that is {name}": case(
            stream(start(usage=value), *said("Hello.")[1:4], end("end_turn"), OVER), state=DONE, text="Hello."
        )
        for name, value in {
            "a list": [1],
            "text": "many",
            "negative": {"input_tokens": -5, "output_tokens": -1},
            "true": {"input_tokens": True},
            "a fraction": {"input_tokens": 1.5},
            "NaN": {"input_tokens": float("nan"), "output_tokens": float("inf")},
            "10^400": {"input_tokens": 10**400, "output_tokens": 10**400},
            "10^20": {"input_tokens": 10**20, "cache_read_input_tokens": 10**19},
            "nested": {"input_tokens": {"a": []}},
        }.items()
    }
    | {
        f"model that is {name}": case(
            stream(start(model=value), *said("Hello.")[1:]), state=DONE, text="Hello."
        )
        for name, value in {
            "a number": 7,
            "a list": ["x"],
            "null": None,
            "huge": "m" * 100_000,
            "several lines": "a\nb\x1b[31m\u202e",
        }.items()
    }
    | {
        f"reason that is {name}": case(
            stream(*said("Hello.")[:-2], end(value), OVER), state=DONE, text="Hello."
        )
        for name, value in {
            "a number": 7,
            "a list": [],
            "null": None,
            "unknown": "bored",
            "huge": "r" * 100_000,
            "tool use": "tool_use",
        }.items()
    }
    | {
        "refusal": case(stream(start(), end("refusal"), OVER), state=DONE, says="declined"),
        "full context": case(
            stream(start(), end("model_context_window_exceeded"), OVER), state=DONE, says="too long"
        ),
    }
)

TOOLS: dict[str, Case] = (
    {
        f"call with {name}": case(stream(*tool(**changes)), FINE, state=DONE, text="Hello.")  # type: ignore[arg-type]
        for name, changes in {
            "a number for its id": {"id": 7},
            "no id": {"id": None},
            "a list for its name": {"name": [1]},
            "an unknown name": {"name": "format_disk"},
            "a huge name": {"name": "n" * 10_000},
            "half a character": {"name": "\ud83d", "id": "\ud83d", "written": '{"query": "\\ud83d"}'},
            "a list for its input": {"input": [1], "written": ""},
            "broken arguments": {"written": '{"query": '},
            "arguments nested deep": {"written": '{"query": ' + nested(400) + "}"},
            "arguments nested very deep": {"written": nested(20_000)},
            "a number of 5,000 digits": {"written": f'{{"query": "x", "lesson_number": {DIGITS}}}'},
            "a number of 10^400": {"written": f'{{"query": "x", "lesson_number": {HUGE}}}'},
            "a lesson of 10^20": {"written": f'{{"query": "x", "lesson_number": {10**20}}}'},
            "NaN for a lesson": {"written": '{"query": "x", "lesson_number": NaN}'},
            "signs of full-text search": {"written": '{"query": "\\" OR * NEAR( ^ : -- \'"}'},
            "a NUL": {"written": '{"query": "a\\u0000b"}'},
            "a huge query": {"written": '{"query": "' + "tides " * 3000 + '"}'},
            "unknown arguments": {"written": '{"query": "x", "__class__": 1}'},
            "numbers for arguments": {"written": '{"query": 7, "course_name": [], "lesson_number": "x"}'},
        }.items()
    }
    | {
        "100 calls at once": case(
            stream(start(), *(tool()[1:4] * 100), end("tool_use"), OVER), FINE, state=DONE, text="Hello."
        ),
        "call that is cut": case(
            stream(*tool()[:3], end("tool_use"), OVER), state=DONE, says="wrote nothing"
        ),
    }
)

WHOLE: dict[str, Case] = {
    f"whole answer that is {name}": case(whole(value), says="not an answer")
    for name, value in {
        "as it should be": {"role": "assistant", "content": [{"type": "text", "text": "Hi."}]},
        "null": None,
        "cut": '{"content": [',
        "nested deep": nested(100_000),
        "empty": "",
    }.items()
} | {"whole answer of 5 MB": case(whole({"content": ["x" * 5_000_000]}), says="far too long")}

IN_BASE64 = base64.b64encode(f"key={KEY}".encode()).decode()
ECHOES: dict[str, Case] = {
    "key in the text": case(stream(*said(f"It is {KEY}.")), state=DONE, text="It is [key hidden]."),
    "key in two pieces": case(
        stream(*said("It is ", KEY[:9], KEY[9:], ".")), state=DONE, text="It is [key hidden]."
    ),
    "key letter by letter": case(stream(*said(*KEY, "!")), state=DONE, text="[key hidden]!"),
    "key in two blocks": case(
        stream(
            start(),
            TEXT_BLOCK,
            text(KEY[:12]),
            stop(),
            block({"type": "text", "text": KEY[12:]}, 1),
            stop(1),
            end(),
        ),
        state=DONE,
    ),
    "half of the key at the end": case(
        stream(*said("It is ", KEY[:-1])), state=DONE, text="It is [key hidden]"
    ),
    "key as a URL has it": case(stream(*said(f"It is {quote(KEY, safe='')}.")), state=DONE),
    "key in base64": case(stream(*said(f"It is {IN_BASE64}.")), state=DONE),
    "key in hexadecimal": case(stream(*said(KEY.encode().hex())), state=DONE),
    "key as the model": case(stream(start(model=KEY), *said("Hi.")[1:]), state=DONE),
    "key as the reason": case(stream(*said("Hi.")[:-2], end(KEY)), state=DONE),
    "key as a quotation": case(hello(cited({"source": "x", "cited_text": KEY})), state=DONE),
    "key as a query": case(stream(*tool(f'{{"query": "{KEY}"}}')), FINE, state=DONE),
    "key in a 400": case(refused(400, f"Bad key {KEY}, in base64 {IN_BASE64}"), says="(400)"),
    "key in a 401": case(refused(401, f"Bad key {KEY}"), says="does not accept this API key"),
    "key in a spend cap": case(refused(429, f"usage limit of {KEY}"), says="limit of this API key"),
    "key in a stream's error": case(stream(start(), error("invalid_request_error", KEY)), says="(400)"),
    "key in a redirect": case(redirected(307, f"http://{KEY}.example/")),
    "key as a header": case(Answer(b"", "400 No", {"x-key": KEY, **JSON})),
}

CONTENTS: dict[str, Case] = {**EVENTS, **CITATIONS, **FIELDS, **TOOLS, **WHOLE, **ECHOES}
