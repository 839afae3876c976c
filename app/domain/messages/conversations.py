"""Headings and remarks of an exported conversation."""

TEXTS = {
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
