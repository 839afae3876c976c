"""The messages of studying."""

from app.domain.messages.plural import Plural

TEXTS: dict[str, str | Plural] = {
    # Hints
    "hints.where": "Look in {place}.",
    "hints.where_heading": "Look in {place}, under “{heading}”.",
    "hints.where_page": "Look in {place}, on page {number}.",
    "hints.where_slide": "Look in {place}, on slide {number}.",
    "hints.nameless": "The name of the lesson would give the answer away. Take the next hint.",
    "hints.else": "If it isn't there, look in {place}.",
    "hints.words": "Look for a sentence with {words}.",
    "hints.other_words": "Look for a sentence that says it in other words than your question.",
    "hints.number": "It gives a number.",
    "hints.length": Plural("It has {n} word.", "It has {n} words."),
    "hints.gaps": "This is the passage. What stands in the gaps?",
    "hints.try_none": "None of the answer's words are in that yet. In other words, it may still be right.",
    "hints.try_some": Plural(
        "You have {words}. {n} word is still missing.", "You have {words}. {n} words are still missing."
    ),
    "hints.try_number": "A number is among them.",
    "hints.try_most": "You have most of the answer: {words}. Compare it with the whole answer.",
    "hints.try_empty": "There is nothing in that to compare. Write what you think, or take the next hint.",
    "hints.try_too_long": (
        "Your answer has {count} characters. Say it in {most} at most, so that it can be compared."
    ),
    "hints.nothing": "Your courses do not seem to cover this, so there are no hints.",
    "hints.gone": "The passage behind the last hint is no longer in your courses.",
    "hints.said_too_much": "The model's hints gave too much away, so this one comes from the search alone.",
    "study.on_server": "Study material is made from your own courses, not from those on a server.",
    "study.nothing_to_ask": "No sentence here says enough to ask about.",
    "study.nothing_defined": "No term is marked here that is not on a card already.",
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
    "making.budget_spent": "This month's budget is spent. Raise it in the settings to make more items.",
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
    "making.dropped_language": Plural("{n} in another language", "{n} in another language"),
    "making.dropped_repeated": Plural("{n} that was there already", "{n} that were there already"),
    "making.dropped_too_many": Plural("{n} more than asked for", "{n} more than asked for"),
    "exam_plan.past": "Choose a day after today for the exam.",
    "exam_plan.far": "Choose a day within the next two years for the exam.",
    "exam_plan.minutes": "Choose between 1 and {most} minutes a day.",
    "exam_plan.all_off": "Every day before the exam is off. Leave at least one day for studying.",
    "exam_plan.retention": "Choose a retention between {least} and {most} percent.",
    "exam_plan.no_lesson": "The course has no lesson {number}.",
    "exam_plan.none": "No exam date is set for “{title}”.",
    "exam_plan.nothing": "There is nothing to plan: no lesson is left to study, and there are no cards.",
    "exam_plan.fits": Plural(
        "Everything fits, in at most {n} minute a day.", "Everything fits, in at most {n} minutes a day."
    ),
    "exam_plan.not_fit": Plural(
        "At {n} minute a day, {what} would not fit.", "At {n} minutes a day, {what} would not fit."
    ),
    "exam_plan.lessons": Plural("{n} lesson", "{n} lessons"),
    "exam_plan.cards": Plural("{n} card", "{n} cards"),
    "exam_plan.and": "{lessons} and {cards}",
    "exam_plan.enough": "{minutes} minutes a day would be enough.",
    "exam_plan.not_enough": "More minutes a day would not be enough; more days would.",
    "exam_plan.unsure": Plural(
        "{n} card may still be below {retention} % on that day.",
        "{n} cards may still be below {retention} % on that day.",
    ),
    "exam_plan.skip": Plural(
        "If you skip today, each of the other days takes about {n} minute more.",
        "If you skip today, each of the other days takes about {n} minutes more.",
    ),
    "exam_plan.skip_not_fit": "If you skip today, {what} would not fit.",
    # In a calendar
    "exam_plan.event": Plural("{course}: {n} minute of study", "{course}: {n} minutes of study"),
    "exam_plan.event_exam": "Exam: {course}",
    "exam_plan.part_lesson": "Lesson “{title}”",
    "exam_plan.part_numbered": "Lesson {number}: {title}",
    "exam_plan.part_new": Plural("{n} new card", "{n} new cards"),
    "exam_plan.part_reviews": Plural("{n} card to review", "{n} cards to review"),
    "study_export.answers": "Answers",
    "study_export.glossary": "Glossary",
    "study_export.guide": "Study guide",
    "study_export.marks": "Marks",
    "study_export.nothing": "The chosen decks hold nothing of that kind yet.",
    "study_export.quiz": "Quiz",
    "study_export.source_changed": "The course has changed here since.",
    "study_export.source_gone": "The sentence is no longer in the course.",
    # Kinds of items, one and several, and their fields
    "study.kind_card": "Card",
    "study.kind_cloze": "Gap text",
    "study.kind_choice": "Multiple choice",
    "study.kind_short": "Short answer",
    "study.kind_term": "Term",
    "study.kind_point": "Study guide",
    "study.kind_mark": "Mark",
    "study.kinds_card": "Cards",
    "study.kinds_cloze": "Gap texts",
    "study.kinds_choice": "Multiple choice",
    "study.kinds_short": "Short answers",
    "study.kinds_term": "Glossary",
    "study.kinds_point": "Study guide",
    "study.kinds_mark": "Marks",
    "study.field_question": "Question",
    "study.field_answer": "Answer",
    "study.field_text": "Text; write gaps as {{{{c1::like this}}}}",
    "study.field_wrong_answers": "Wrong answers, one per line",
    "study.field_also_right": "Other right answers, one per line",
    "study.field_explanation": "Explanation",
    "study.field_term": "Term",
    "study.field_definition": "Definition",
    "study.field_heading": "Section",
    "study.field_claim": "What it says",
    "study.field_back": "Your note",
    "study.front_is_empty": "The first field is empty.",
    "study.no_gap": "Select words and make them a gap.",
    "study.answer_is_empty": "The answer is empty.",
    "study.no_wrong_answer": "Add at least one wrong answer.",
    "study.right_among_wrong": "The right answer is among the wrong ones.",
    "study.too_long": "That is too long: the limit is {most} characters.",
    "marks.nothing_selected": "Select a sentence first.",
    "marks.two_lessons": "The selection extends into another lesson: select less.",
    "marks.not_here": "The selected text is not in your library, or not any more: open the lesson again.",
    # Forms of export, and what they hold
    "study_export.form_anki.apkg": "Anki package",
    "study_export.form_csv.csv": "Table (CSV)",
    "study_export.form_moodle.xml": "Quiz for Moodle (XML)",
    "study_export.form_gift.gift": "Quiz for Moodle (GIFT)",
    "study_export.form_quiz.pdf": "Quiz to print (PDF)",
    "study_export.form_quiz.md": "Quiz (Markdown)",
    "study_export.form_guide.pdf": "Study guide to print (PDF)",
    "study_export.form_guide.md": "Study guide (Markdown)",
    "study_export.form_glossary.pdf": "Glossary to print (PDF)",
    "study_export.form_glossary.md": "Glossary (Markdown)",
    "study_export.form_marks.pdf": "Marks and notes to print (PDF)",
    "study_export.form_marks.md": "Marks and notes (Markdown)",
    "study_export.about_anki": (
        "Cards, gap texts, terms and quiz questions, with a deck for each course and a subdeck for each "
        "lesson. Importing again updates cards instead of duplicating them."
    ),
    "study_export.about_csv": "Everything, one row each, for a spreadsheet or another program.",
    "study_export.about_moodle": "The quiz questions, a category a lesson, for Moodle's question bank.",
    "study_export.about_gift": "The quiz questions, a category a lesson, for Moodle's question bank.",
    "study_export.about_quiz": "The quiz questions, each answer with the sentence that shows it.",
    "study_export.about_guide": "Footnotes quote the course.",
    "study_export.about_glossary": "Footnotes quote the course.",
    "study_export.about_marks": "Your marks and notes, by lesson.",
}
