"""What can be said of items that were made, or were not."""

from app.domain.messages.plural import Plural

TEXTS: dict[str, str | Plural] = {
    "making.made": Plural(
        "{n} item made, {covered} of {passages} passages covered.",
        "{n} items made, {covered} of {passages} passages covered.",
    ),
    "making.made_and_dropped": Plural(
        "{n} item made, {covered} of {passages} passages covered; not kept: {dropped}.",
        "{n} items made, {covered} of {passages} passages covered; not kept: {dropped}.",
    ),
    "making.ended_early": Plural("{n} item made. {reason}", "{n} items made. {reason}"),
    "making.stopped": "Stopped.",
    "making.nothing_more": "The model found nothing more that could be kept.",
    "making.nothing_kept": (
        "Nothing that the model wrote could be kept: {dropped}. "
        "Try again, or choose another model in the settings."
    ),
    "making.nothing_written": (
        "The model wrote no items in the form they were asked for. Choose another model in the settings."
    ),
    "making.no_cited_passages": "No answer of this chat cites a passage that is still in your own courses.",
    "making.budget_spent": "This month’s budget is spent. Raise it in the settings to make more items.",
    # Why something was not kept
    "making.and": "{first}, {rest}",
    "making.dropped_form": Plural("{n} badly formed", "{n} badly formed"),
    "making.dropped_quote": Plural(
        "{n} with a quotation that is not in its passage", "{n} with quotations that are not in their passage"
    ),
    "making.dropped_unsupported": Plural(
        "{n} that its passage does not say", "{n} that their passages do not say"
    ),
    "making.dropped_choices": Plural("{n} with unusable choices", "{n} with unusable choices"),
    "making.dropped_given_away": Plural("{n} that gives its answer away", "{n} that give their answer away"),
    "making.dropped_out_of_context": Plural(
        "{n} that cannot be understood by itself", "{n} that cannot be understood by themselves"
    ),
    "making.dropped_language": Plural("{n} in another language", "{n} in another language"),
    "making.dropped_repeated": Plural("{n} that was there already", "{n} that were there already"),
    "making.dropped_too_many": Plural("{n} more than asked for", "{n} more than asked for"),
}
