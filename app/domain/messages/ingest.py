"""Messages about adding files: what is left out, what cannot be read, which course is meant."""

from app.domain.messages.plural import Plural

TEXTS: dict[str, str | Plural] = {
    "ingest.cannot_open": "It cannot be opened ({reason}).",
    "ingest.cannot_open_path": "{path} cannot be opened ({reason}). Check its permissions and try again.",
    "ingest.cannot_read_path": "{path} cannot be read. {reason}",
    "ingest.data_file": "It looks like data to work with, not like a lesson.",
    "ingest.excluded": "You excluded it.",
    "ingest.fits_several": "“{name}” matches several courses: {titles}. Name one of them.",
    "ingest.fits_several_and_more": Plural(
        "“{name}” matches several courses: {titles}; and {n} more. Name one of them.",
        "“{name}” matches several courses: {titles}; and {n} more. Name one of them.",
    ),
    "ingest.folder_not_opened": (
        "This folder cannot be opened ({reason}), so nothing in it was read. "
        "Check its permissions, then add it again."
    ),
    "ingest.gone": "{path} no longer exists. Choose it again where it is now.",
    "ingest.header_without_text": "{name} has a course header but no text.",
    "ingest.inside_chosen": (
        "{path} lies in {outer}, whose courses are decided on together. "
        "Use --one-course or --course-per-folder with {outer}."
    ),
    "ingest.lessons_taken": (
        "{name} contains the same lessons of the course “{title}” as {other}. "
        "Give one of them another course title or other lesson numbers, then add it again."
    ),
    "ingest.illustration": "It probably illustrates one of the texts around it.",
    "ingest.link_out": "It links to a place outside the folder.",
    "ingest.no_extension": "It has no extension, and its content is neither text nor a PDF.",
    "ingest.no_text_archive": "Archives ({extension}) aren't opened. Unpack them and add the folder.",
    "ingest.no_text_data": "{extension} files hold data or programs. Add what explains them as text or PDF.",
    "ingest.no_text_picture": (
        "Pictures of this kind ({extension}) aren't read. Save those that hold text as PNG or JPEG."
    ),
    "ingest.no_text_recording": (
        "Recordings ({extension}) are read from their captions. Add an .srt or .vtt file of each."
    ),
    "ingest.no_lesson": "Its name says it isn't a lesson.",
    "ingest.not_regular": "It is not a regular file.",
    "ingest.of_a_program": "It belongs to a program or website inside the course.",
    "ingest.nothing_left": "What you chose no longer exists. Nothing was changed; choose again.",
    "ingest.path_or_course": (
        "“{name}” is both a path and part of a course title ({titles}). Enter the whole path or title."
    ),
    "ingest.same_content": "It has the same content as {name}.",
    "ingest.title_in_trash": (
        "A course called “{title}” is in the trash. Empty the trash, or choose another name."
    ),
    "ingest.title_taken": "There is already a course called “{title}”. Choose another name.",
    "ingest.translation": "It is read in another language.",
    "ingest.unknown_name": "No course or file is called “{name}”.",
    "ingest.source_code": (
        "Source code is left out where a folder holds much of it. Include the files you need, "
        "or add them one by one."
    ),
    "ingest.unreachable": (
        "{path} cannot be reached: its drive or share is not connected. Its courses stay as they were."
    ),
    "ingest.unreadable_name": "Its name is not valid text on this system. Rename it.",
    "ingest.unsupported": "{extension} files aren't supported. Save them as PDF or text and add those.",
}
