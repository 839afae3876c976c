"""What is said while decks are given away, and the headings of what is printed."""

TEXTS = {
    "study_export.answers": "Answers",
    "study_export.glossary": "Glossary",
    "study_export.guide": "Study guide",
    "study_export.no_cards": "The chosen decks hold no cards and no quiz questions yet.",
    "study_export.no_glossary": "The chosen decks hold no terms yet.",
    "study_export.no_guide": "The chosen decks hold no study guide yet.",
    "study_export.no_items": "There is nothing in the chosen decks yet.",
    "study_export.no_quiz": "The chosen decks hold no quiz questions yet.",
    "study_export.quiz": "Quiz",
    "study_export.source_changed": "The course has changed here since.",
    "study_export.source_gone": "The sentence is no longer in the course.",
}
