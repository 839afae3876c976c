"""Messages about questions that are mapped to lessons, and about course checks."""

TEXTS = {
    "teaching.not_in_material": "Not in the material",
    "teaching.not_a_check": "{name} is not a course check: line {line} has no question with its passages.",
    "teaching.empty_check": "{name} is not a course check: it is empty.",
    "teaching.nothing_to_check": (
        "This chat has no question whose search finds a passage that its answer cites. Nothing was written."
    ),
    "teaching.title": "What was taught",
    "teaching.count": "Taught: {taught} of {questions} questions in {name}",
    "teaching.nearest": "The nearest passages",
    "teaching.unasked": "Lessons of these courses that no question asks for",
    "teaching.column_number": "Number",
    "teaching.column_question": "Question",
    "teaching.column_taught": "Taught",
    "teaching.column_course": "Course",
    "teaching.column_lesson": "Lesson",
    "teaching.column_title": "Title",
    "teaching.column_passage": "Passage",
    "teaching.column_file": "File",
    "teaching.yes": "yes",
    "teaching.no": "no",
    "teaching.not_asked": "not asked",
    "teaching.gone": "It is no longer in the material.",
    "teaching.not_found": "It is in the material, but the question no longer finds it.",
    "teaching.check_count": "Questions that find all their passages: {good} of {questions}",
}
