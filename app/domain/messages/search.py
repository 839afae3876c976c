"""Messages about a search and its results, and about links to places of the library."""

TEXTS = {
    "search.lesson_without_text": "This lesson has no text to read.",
    "search.no_course": "No course found matching '{name}'.",
    "search.no_course_in_empty_library": "No course found matching '{name}'. The library is empty.",
    "search.no_course_nearest": "No course found matching '{name}'. Nearest: {titles}.",
    "search.several_courses": "'{name}' fits several courses; searched all of them: {titles}.",
    "search.several_lessons": (
        "Several courses have a lesson {lesson}: {titles}. "
        "Name the course too, or restrict the question to the lesson."
    ),
    "search.empty_library": "The library is empty. Add a folder with course files first.",
    "search.missing_words": "In none of the lessons searched: {words}.",
    "search.not_shared": "The courses on {server} were not searched. {reason}",
    "search.nothing": "Nothing was found.",
    "search.nothing_in_courses": "Nothing was found in {titles}.",
    "search.nothing_in_lesson": "Nothing was found in lesson {lesson}.",
    "search.nothing_in_lesson_of_courses": "Nothing was found in {titles} in lesson {lesson}.",
    "server.slow": "{server} did not answer in time. Try again later.",
    "server.unusable_answer": "An answer from {server} could not be used. The log file says why.",
    "links.not_a_link": "This is not a link that Lectern can open.",
    "links.not_here": "What this link leads to is not in your library.",
    "links.not_here_in_course": (
        "What this link leads to is not in your library. It is from the course “{course}”."
    ),
}
