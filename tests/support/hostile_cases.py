"""What a hostile server can do to a question, by name: more than a hundred and fifty ways.

Each line says what the server does and what has to come of it; see :class:`Case`.
"""

from __future__ import annotations

import gzip

from tests.support.hostile_contents import BIG_BLOCK, CONTENTS, DIGITS, FINE
from tests.support.hostile_messages import (
    DONE,
    OVER,
    PING,
    TEXT_BLOCK,
    Case,
    block,
    case,
    cited,
    delta,
    end,
    endless,
    error,
    forever,
    hello,
    nested,
    raw,
    redirected,
    refused,
    said,
    squeezed,
    start,
    stop,
    stream,
    text,
    tool,
    whole,
)
from tests.support.hostile_server import HTML, JSON, SSE, Answer

CHUNKED = {**SSE, "transfer-encoding": "chunked"}


def sized(length: int | str, **more: str) -> dict[str, str]:
    return {**SSE, "content-length": str(length), **more}


CONNECTION: dict[str, Case] = {
    "closes at once": case(raw(b""), says="lost"),
    "resets at once": case(raw(b"", then="reset"), says="lost"),
    "never answers": case(raw(b"", then="hang"), says="sent nothing"),
    "babbles": case(raw(b"220 mail.example.org ESMTP\r\n"), says=""),
    "speaks TLS": case(raw(b"\x15\x03\x01\x00\x02\x02\x28" * 9)),
    "status that is no number": case(raw(b"HTTP/1.1 twenty OK\r\n\r\n")),
    "status of 999": case(Answer(b"", "999 What")),
    "version of HTTP that is none": case(raw(b"HTTP/7.9 200 OK\r\n\r\n")),
    "head without end": case(
        forever(b"x-more: " + b"y" * 1000 + b"\r\n", b"HTTP/1.1 200 OK\r\n", status=None)
    ),
    "head that drips": case(forever(b"x", b"HTTP/1.1 200 OK\r\nx: ", status=None, every=0.02)),
    "header without a name": case(raw(b"HTTP/1.1 200 OK\r\n: x\r\n\r\n")),
    "100 for ever": case(forever(b"HTTP/1.1 100 Continue\r\n\r\n", status=None)),
    "103 for ever": case(forever(b"HTTP/1.1 103 Early\r\n\r\n", status=None)),
    "negative length": case(Answer(b"x", headers=sized(-1))),
    "length that is no number": case(Answer(b"x", headers=sized("many"))),
    "length of 5,000 digits": case(Answer(b"x", headers=sized(DIGITS))),
    "longer than it is": case(Answer(FINE.body, headers=sized(10**6)), state=DONE),
    "shorter than it is": case(Answer(FINE.body, headers=sized(30))),
    "two lengths": case(raw(b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx")),
    "chunk of no size": case(Answer(b"zz\r\n", headers=CHUNKED)),
    "chunk of all sizes": case(Answer(b"f" * 40 + b"\r\n", headers=CHUNKED)),
    "chunk that is cut": case(Answer(b"ffff\r\ndata: ", headers=CHUNKED)),
    "size of a chunk without end": case(forever(b"0", headers=CHUNKED)),
    "no content": case(Answer(status="204 None", headers={})),
    "not modified": case(Answer(status="304 Same", headers={})),
    "another kind of content": case(Answer(FINE.body, headers=HTML), state=DONE, text="Hello."),
    "no kind of content": case(Answer(FINE.body, headers={}), state=DONE, text="Hello."),
    "a page": case(Answer(b"<html>Please log in</html>", headers=HTML), says="not an answer"),
}

ELSEWHERE: dict[str, Case] = {
    f"{status} to another host": case(
        redirected(status, "http://thief.example/v1/messages"), says="thief.example"
    )
    for status in (301, 302, 303, 307, 308)
} | {
    "307 to another port": case(redirected(307, "http://127.0.0.1:9/v1/messages"), says="on to 127.0.0.1:9."),
    "307 to another scheme": case(redirected(307, "file:///etc/passwd"), says="on to file:."),
    "307 to an address without a scheme": case(redirected(307, "//thief.example/"), says="thief.example"),
    "307 to another user": case(redirected(307, "http://u:p@thief.example/"), says="thief.example"),
    "307 to nothing": case(redirected(307, "")),
    "307 to no address": case(redirected(307, "http://[::1")),
    "307 without a place": case(Answer(b"", "307 Elsewhere", {})),
    "307 in circles": case(redirected(307, "/v1/messages"), says="not an answer"),
}

ENCODINGS: dict[str, Case] = {
    "archive of 200 MB": case(Answer(lambda: squeezed(200), headers={**SSE, "content-encoding": "gzip"})),
    "answer in an archive": case(Answer(lambda: squeezed(1), headers={**SSE, "content-encoding": "gzip"})),
    "answer packed by gzip": case(
        Answer(gzip.compress(FINE.body), headers={**SSE, "content-encoding": "gzip"}),  # type: ignore[arg-type]
        state=DONE,
        text="Hello.",
    ),
    "no gzip although it says so": case(Answer(FINE.body, headers={**SSE, "content-encoding": "gzip"})),
    "unknown encoding": case(Answer(b"x", headers={**SSE, "content-encoding": "rot13"})),
    "UTF-16": case(Answer("data: {}\n\n".encode("utf-16"))),
    "bytes that are no text": case(stream(start(), b"event: x\ndata: \xff\xfe\n\n")),
    "NUL bytes": case(Answer(b"\0" * 10_000)),
    "NUL in the text": case(hello(text("\0")), state=DONE),
    "only CR": case(Answer(FINE.body.replace(b"\n", b"\r")), state=DONE, text="Hello."),  # type: ignore[union-attr]
    "CR and LF": case(Answer(FINE.body.replace(b"\n", b"\r\n")), state=DONE, text="Hello."),  # type: ignore[union-attr]
}

WITHOUT_END: dict[str, Case] = {
    "pings for ever": case(
        endless(PING, before=[start()], every=0.02), says="did not begin an answer", timeout_read=60.0
    ),
    "pings after a word": case(
        endless(PING, before=[start(), TEXT_BLOCK, text("Hi")], every=0.02),
        text="Hi",
        timeout_read=60.0,
        timeout_content=3.0,
        timeout_reply=60.0,
    ),
    "pings as fast as it can": case(endless(PING, before=[start()], times=1000)),
    "comments for ever": case(forever(b": alive\n\n" * 1000)),
    "unknown events for ever": case(endless({"type": "news"}, before=[start()], times=1000)),
    "unknown events, slowly": case(
        endless({"type": "news"}, every=0.02), says="did not begin an answer", timeout_read=60.0
    ),
    "unknown blocks for ever": case(
        endless(block(BIG_BLOCK), stop(), before=[start()], times=50), state=DONE
    ),
    "empty words for ever": case(endless(text(""), before=[start(), TEXT_BLOCK], every=0.02)),
    "words for ever": case(
        endless(text("word "), before=[start(), TEXT_BLOCK], times=100),
        state=DONE,
        says="would not end",
    ),
    "a letter now and then": case(
        endless(text("x"), before=[start(), TEXT_BLOCK], every=0.05),
        says="did not finish",
        timeout_read=60.0,
        timeout_content=60.0,
    ),
    "thoughts for ever": case(
        endless(
            delta({"type": "thinking_delta", "thinking": "Hm. "}),
            before=[start(), block({"type": "thinking", "thinking": ""})],
            times=100,
        ),
        state=DONE,
    ),
    "arguments for ever": case(
        endless(
            delta({"type": "input_json_delta", "partial_json": "[[[["}),
            before=[start(), block({"type": "tool_use", "id": "t", "name": "x", "input": {}})],
            times=100,
        ),
        state=DONE,
    ),
    "citations for ever": case(
        endless(cited({"source": "x", "cited_text": "y" * 100}), before=[start(), TEXT_BLOCK], times=100),
        state=DONE,
    ),
    "signatures for ever": case(
        endless(
            delta({"type": "signature_delta", "signature": "s" * 1000}),
            before=[start(), block({"type": "thinking", "thinking": ""})],
            times=10,
        ),
        state=DONE,
    ),
    "calls for ever": case(endless(*tool()[1:4], before=[start()], times=20), state=DONE),
    "usage for ever": case(endless(end(None, output_tokens=1), before=[start()], times=100)),
    "starts for ever": case(endless(start(), times=100)),
    "line without end": case(forever(b"x" * 60_000, b"data: "), says="far too long"),
    "event of empty lines of data": case(forever(b"data:\n" * 5000), says="far too long"),
    "null for ever": case(endless("null", times=1000)),
    "200 times an answer": case(stream(*said("Hello.") * 200), state=DONE, text="Hello."),
    "pings after the end": case(endless(PING, before=said("Hello."), every=0.02), state=DONE, text="Hello."),
    "silence after the end": case(stream(*said("Hello."), then="hang"), state=DONE, text="Hello."),
    "one huge word": case(stream(*said("word " * 9000)), state=DONE, says="would not end"),
    "one word of 5 MB": case(stream(*said("word " * 10**6)), says="far too long"),
    "marks without end": case(stream(*said("[1] " * 9000)), state=DONE),
    "JSON without end": case(forever(b"[" * 10_000, headers=JSON), says="far too long"),
    "events of small things": case(endless('{"x": [' + "{}," * 300_000 + "{}]}")),
    "JSON that drips": case(
        forever(b"[", headers=JSON, every=0.02), says="did not begin an answer", timeout_read=60.0
    ),
    "error without end": case(forever(b"No. " * 10_000, status="400 No", headers=JSON), says="(400)"),
    "error that drips": case(forever(b"No. ", status="400 No", every=0.02), says="sent nothing"),
    "searches for ever": case(stream(*tool()), state=DONE, says="kept searching"),
    "pauses for ever": case(stream(start(), end("pause_turn"), OVER), state=DONE, says="paused too often"),
}

CREDIT = "Your credit balance is too low to access the Anthropic API."
CAP = "You have reached your specified API usage limits. You will regain access on 2026-12-01."
REFUSALS: dict[str, Case] = {
    "400 about credit": case(refused(400, CREDIT, "invalid_request_error"), says="no credit left"),
    "403 about billing": case(refused(403, "Billing is not set up"), says="no credit left"),
    "429 about quota": case(refused(429, "You exceeded your current quota"), says="no credit left"),
    "429 of a spend cap": case(refused(429, CAP, "rate_limit_error"), says="2026-12-01"),
    "429 without a time": case(refused(429, "Slow down"), says="Too many requests"),
    "429 with 0 seconds, always": case(refused(429, retry_after="0"), says="Too many requests"),
    "429 with a day": case(refused(429, retry_after="86400"), says="minutes"),
    "429 with NaN": case(refused(429, retry_after="nan")),
    "429 with 5,000 digits": case(refused(429, retry_after=DIGITS)),
    "429 with the year 99999": case(refused(429, retry_after="Fri, 31 Dec 99999 23:59:59 GMT")),
    "429 then an answer": case(refused(429, retry_after="1"), FINE, state=DONE, text="Hello."),
    "529 always": case(refused(529), says="overloaded"),
    "500 then an answer": case(refused(500), FINE, state=DONE, text="Hello."),
    "599": case(refused(599), says="(599)"),
    "418": case(refused(418), says="(418)"),
    "status 226": case(Answer(FINE.body, "226 Used"), state=DONE, text="Hello."),
} | {
    f"error that is {name}": case(Answer(body.encode(), "400 No", JSON), says="(400)")
    for name, body in {
        "null": "null",
        "a list": "[1]",
        "a number": "7",
        "empty": "",
        "cut": '{"error": {',
        "nested": nested(100_000),
        "a list within": '{"error": []}',
        "a number within": '{"error": {"message": 7, "type": []}}',
        "half a character": '{"error": {"message": "\\ud83d"}}',
        "of 5,000 digits": DIGITS,
        "coloured": '{"error": {"message": "\\u001b[31mred\\u202e"}}',
        "odd in detail": '{"error": {"details": [[]]}}',
    }.items()
}

BROKEN_OFF: dict[str, Case] = {
    "drop before any word, always": case(stream(start(), TEXT_BLOCK), says="lost"),
    "drop before any word, once": case(stream(start(), TEXT_BLOCK), FINE, state=DONE, text="Hello."),
    "reset before any word, once": case(stream(start(), then="reset"), FINE, state=DONE, text="Hello."),
    "drop after a word": case(stream(start(), TEXT_BLOCK, text("Hi")), says="lost", text="Hi"),
    "silence after a word": case(
        stream(start(), TEXT_BLOCK, text("Hi"), then="hang"),
        says="sent nothing",
        text="Hi",
        timeout_read=3.0,
        timeout_content=60.0,
        timeout_reply=60.0,
    ),
    "error first, once": case(stream(error("overloaded_error")), FINE, state=DONE, text="Hello."),
    "error first, always": case(stream(error("overloaded_error")), says="overloaded"),
    "error after the start, once": case(stream(start(), error("api_error")), FINE, state=DONE, text="Hello."),
    "error after a word": case(
        stream(start(), TEXT_BLOCK, text("Hi"), error("api_error")), says="(500)", text="Hi"
    ),
    "error of no credit": case(stream(error("invalid_request_error", CREDIT)), says="no credit left"),
    "error of an unknown type": case(stream(error([1], {"a": 1})), says="(500)"),
    "error that is text": case(stream(b"event: error\ndata: out of order\n\n"), says="(500)"),
    "error that is null": case(stream(b"event: error\ndata: null\n\n"), says="(500)"),
    "error nested deep": case(
        stream(b"event: error\ndata: " + nested(100_000).encode() + b"\n\n"), says="(500)"
    ),
    "error without data": case(stream(b"event: error\n\n"), says="(500)"),
}

MODELS: dict[str, Case] = {
    f"model list that is {name}": case(FINE, models=models, state=DONE, text="Hello.")
    for name, models in {
        "null": whole(None),
        "a list": whole([1]),
        "nested deep": whole(nested(100_000)),
        "of 5,000 digits": whole(DIGITS),
        "without end": forever(b"[" * 10_000, headers=JSON),
        "odd": whole(
            '{"capabilities": {"effort": [], "thinking": 7, "citations": []}, "max_tokens": -1e999}'
        ),
        "elsewhere": redirected(307, "http://thief.example/v1/models"),
    }.items()
}
DRIPPING = forever(b" ", headers=JSON, every=0.02)
MODELS["model list that is dripping"] = case(
    FINE, models=DRIPPING, state=DONE, text="Hello.", timeout_content=3.0
)

CASES: dict[str, Case] = {
    **CONNECTION,
    **ELSEWHERE,
    **ENCODINGS,
    **WITHOUT_END,
    **REFUSALS,
    **BROKEN_OFF,
    **MODELS,
    **CONTENTS,
}
