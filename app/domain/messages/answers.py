"""Messages about answers, their claims and sources, and exported conversations."""

from app.domain.messages.plural import Plural

MENDED_IN_SETTINGS = frozenset(
    "answers." + name
    for name in (
        *("only_searched", "budget_spent", "no_key", "key_malformed", "base_url_malformed"),
        *("address_unusable", "own_address_not_found", "not_secure", "own_server_unreachable"),
        *("no_https", "no_content", "too_slow", "too_much", "redirected", "not_an_answer", "key_refused"),
        *("no_credit", "limit_spent", "model_not_allowed", "not_a_model_server", "model_unknown"),
        *("request_too_long", "refused", "refused_saying"),
    )
)
"""Ids of the messages that send the reader to the settings."""

TEXTS: dict[str, str | Plural] = {
    "answers.second_look_yes": "A second look by {model} confirmed this.",
    "answers.second_look_no": "A second look by {model} did not find this in the passage.",
    # Beside an answer
    "answers.length_limit": "The answer reached its length limit and stops here.",
    "answers.declined": "The model declined to answer this question.",
    "answers.chat_too_long": "This chat has become too long for the model. Start a new chat to go on.",
    "answers.only_searched": (
        "The model kept searching instead of answering. Ask again, or choose another model in the settings."
    ),
    "answers.passages_after_failure": "No answer was written. A search found these passages:",
    "answers.passages_beside": "No passage was found that clearly says this. The nearest ones:",
    "answers.passages_instead": "The model gave no answer. These passages were found:",
    "answers.only_paused": "The model paused too often to finish. Ask again.",
    "answers.endless": "The answer would not end, so it was stopped here.",
    "answers.failed_inside": (
        "Something went wrong in Lectern. Try again. If it keeps happening, report it with the log file."
    ),
    "answers.library_failed": (
        "The library couldn't be read ({reason}). Try again. If it keeps happening, run “lectern doctor”."
    ),
    "answers.out_of_memory": "This computer ran out of memory. Close other programs, then try again.",
    "answers.empty": "The model wrote nothing. Ask again, or rephrase the question.",
    # What supports it
    "answers.stands": "stands there",
    "answers.in_line": "in line with the source",
    "answers.quote_found": "quoted, but does not show this",
    "answers.not_found": "not found in the sources",
    "answers.in_line_count": Plural(
        "{count} of {n} statement in line with its source",
        "{count} of {n} statements in line with their sources",
    ),
    "answers.not_from_courses": "not from your courses",
    "answers.nothing_searched": "Nothing was searched for this answer: it does not come from your courses.",
    # Of the settings
    "answers.budget_spent": (
        "This month's answers have cost {cost} of your budget of {budget}: "
        "raise it in the settings to ask more questions."
    ),
    "answers.no_key": "There is no API key. Add one in the settings.",
    "answers.key_malformed": "This API key isn't valid. Paste it again in the settings.",
    "answers.base_url_malformed": (
        "The server address in the settings can't be right. It should look like http://localhost:11434."
    ),
    "answers.address_unusable": (
        "The server address in the settings, or this computer's proxy, can't be used. "
        "It should look like http://localhost:11434."
    ),
    "answers.pull_failed": "{model} could not be downloaded ({reason}). Try again.",
    # Of the connection
    "answers.address_not_found": ("The address {server} was not found. Check the internet connection."),
    "answers.own_address_not_found": (
        "The address {server} was not found. "
        "Check the internet connection and the server address in the settings."
    ),
    "answers.not_secure": (
        "A secure connection to {server} could not be made. "
        "Check this computer's clock, the network, and the server address in the settings."
    ),
    "answers.no_https": (
        "{server} does not answer by HTTPS. "
        "If it has no certificate, enter its address with http:// in the settings."
    ),
    "answers.proxy": (
        "The proxy {proxy} blocked the connection to {server}. Check this computer's proxy settings."
    ),
    "answers.proxy_unreachable": (
        "Can't reach {server}: the proxy {proxy} does not respond. Check this computer's proxy settings."
    ),
    "answers.proxy_socks": (
        "The proxy {proxy} is a SOCKS proxy, which Lectern cannot use. Set an HTTP proxy on this computer."
    ),
    "answers.proxy_unusable": (
        "The proxy {proxy} is not one that Lectern can use. Check this computer's proxy settings."
    ),
    "answers.own_server_unreachable": (
        "Can't reach the server at {server}. Start it, or check the address in the settings."
    ),
    "local.not_downloaded": "{name} has not been downloaded. Download it in the settings.",
    "local.not_offered": "There is no model “{name}” for this computer, but: {models}.",
    "local.no_file": "There is no file {file}. Choose another model in the settings.",
    "local.not_loaded": (
        "{file} cannot be used: it is damaged, not a model that Lectern can run, or too large for the free "
        "memory. Choose another model in the settings."
    ),
    "local.no_memory": "This computer does not have enough memory for {name}. Choose a smaller model.",
    "local.ended": "{name} broke off its answer. Ask again.",
    "local.too_little_memory": (
        "This computer has too little memory to run a model itself: {least} GB are needed."
    ),
    "answers.unreachable": ("Can't reach {server}. Check the internet connection, then ask again."),
    "answers.silent": Plural(
        "{server} sent nothing for {n} second. Ask again.",
        "{server} sent nothing for {n} seconds. Ask again.",
    ),
    "answers.no_content": Plural(
        "{server} did not begin an answer within {n} second. "
        "Ask again, or choose another model in the settings.",
        "{server} did not begin an answer within {n} seconds. "
        "Ask again, or choose another model in the settings.",
    ),
    "answers.too_slow": Plural(
        "{server} did not finish its answer within {n} minute. "
        "Ask again, or choose another model in the settings.",
        "{server} did not finish its answer within {n} minutes. "
        "Ask again, or choose another model in the settings.",
    ),
    "answers.too_much": (
        "The answer from {server} was far too long. "
        "Ask again; if it keeps happening, check the server and the model in the settings."
    ),
    "answers.redirected": (
        "{server} passes the question on to {host}. Lectern asks only the server in the settings: "
        "if you trust {host}, enter it there."
    ),
    "answers.broken_off": ("The connection to {server} was lost before the answer was complete. Ask again."),
    "answers.not_an_answer": (
        "{server} sent something that is not an answer. "
        "Ask again; if it keeps happening, check the server and the model in the settings."
    ),
    # What the server refused
    "answers.busy": "{reason} Ask again in {wait}.",
    "answers.overloaded": "The model server is overloaded.",
    "answers.rate_limited": "Too many requests were made with this API key.",
    "answers.in_seconds": Plural("{n} second", "{n} seconds"),
    "answers.in_minutes": Plural("a minute", "{n} minutes"),
    "answers.server_problem": "{server} has a problem ({status}). Ask again in a moment.",
    "answers.key_refused": "The server does not accept this API key. Check it in the settings.",
    "answers.no_credit": (
        "The account of this API key has no credit left. Add credit, or use another key in the settings."
    ),
    "answers.limit_spent": (
        "The usage limit of this API key is reached. The server says: {said} "
        "Raise the limit, or use another key in the settings."
    ),
    "answers.model_not_allowed": "This API key may not use {model}. Change the model or key in the settings.",
    "answers.not_a_model_server": "{server} is not a model server. Check the server address in the settings.",
    "answers.model_unknown": "{server} does not know the model “{model}”. Choose another in the settings.",
    "answers.request_too_long": (
        "The question and its context are too long for this model. "
        "Start a new chat, or set fewer passages per search in the settings."
    ),
    "answers.refused": "{server} did not accept the request ({status}). Try another model in the settings.",
    "answers.refused_saying": (
        "{server} did not accept the request ({status}). It says: {said} Try another model in the settings."
    ),
    # A test of the server
    "answers.check_reached": "{server} answers.",
    "answers.check_no_key": "There is no API key yet: paste one above.",
    "answers.check_key": "The server accepts the key.",
    "answers.check_model": "{model} answers.",
    "answers.check_tools": "The model can search your courses by itself.",
    "answers.check_tools_refused": (
        "The model cannot search by itself. Lectern searches first and sends the passages along."
    ),
    "answers.check_tools_unused": (
        "The model does not search when it should. Lectern searches first and sends the passages along."
    ),
    "answers.check_citations": "The model marks the sentences it answers from.",
    "answers.check_citations_refused": (
        "The server does not support citations. Lectern numbers the passages and checks those numbers."
    ),
    "answers.check_citations_unused": (
        "The model does not mark its sources. Lectern numbers the passages and checks those numbers."
    ),
    "answers.check_thinks": "The model thinks before it answers. Lectern leaves room for that and hides it.",
    "answers.check_thinks_not": "The model answers without thinking first.",
    "answers.check_only_thought": "The model was still thinking when the time for this test was up.",
    "answers.check_slow": Plural(
        "{server} did not answer this test within {n} second.",
        "{server} did not answer this test within {n} seconds.",
    ),
    # An answer without a model
    "answers.nothing_matches": "Nothing in your courses matches this question. Try other words.",
    "answers.not_covered": "Your courses do not seem to cover this. These lessons come closest:",
    "answers.nearest_passages": "Nearest passages:",
    "answers.passages_found": "What these lessons say:",
    "answers.lesson": "Lesson {number}",
    "answers.lesson_titled": "Lesson {number}: {title}",
    "proof.other": "The source says {said}, not {claimed}.",
    "proof.not_in_sources": "The sources do not mention {claimed}.",
    "proof.negated": "The source does not deny this: “{word}”.",
    "proof.denied": "The source denies this: “{word}”.",
    "proof.not_quoted": "These words are in none of the sources: “{quote}”.",
    "conversations.answer": "Answer",
    "conversations.being_written": "The answer was still being written.",
    "conversations.exported": "Exported from Lectern · {day}",
    "conversations.failed": "The answer failed: {reason}",
    "conversations.failed_somehow": "The answer failed: it could not be completed.",
    "conversations.found": "found by Lectern",
    "conversations.interrupted": "The answer was interrupted here.",
    "conversations.picture": "picture",
    "conversations.quoted": "“{text}”",
    "conversations.question": "{number}. Question",
    "conversations.source_unverified": "A citation of this source could not be verified.",
    "conversations.stopped": "The answer was stopped here.",
    "conversations.unverified": "could not be verified",
}
