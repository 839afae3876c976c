"""Messages about files that are read: why not, what is left out, which course is meant."""

from app.domain.messages.plural import Plural

TEXTS: dict[str, str | Plural] = {
    # The file
    "documents.gone": "{name} no longer exists.",
    "documents.no_permission": "{name} cannot be opened: you do not have permission to read it.",
    "documents.is_folder": "{name} is a folder, not a file.",
    "documents.not_a_regular_file": "{name} is not a regular file.",
    "documents.name_not_openable": "{name} has a name that cannot be opened on this computer. Rename it.",
    "documents.cannot_be_read": "{name} cannot be read: {reason}.",
    "documents.being_written": "{name} is still being written. Add it again when that is finished.",
    "documents.too_large": (
        "{name} is {size}; Lectern reads at most {limit} from one file. Split it into smaller files."
    ),
    # Its format
    "documents.not_yet_read": "{ending} files aren't supported yet. Save it as PDF and add that.",
    "documents.not_convertible": (
        "Lectern reads {ending} files only if LibreOffice is installed. "
        "Install it, or save the file as {better} or PDF and add that."
    ),
    "documents.unknown_ending": "{name} cannot be read. Lectern reads {endings} files.",
    "documents.not_text": "{name} is not text.",
    "documents.wrong_format": "{name} is not a valid {format} file.",
    "documents.web_page": "{name} is not a valid {format} file. It looks like a web page.",
    # What is in it
    "documents.empty": "{name} is empty.",
    "documents.no_text": "{name} contains no text.",
    "documents.scanned": (
        "{name} contains no text; its pages are probably scanned. "
        "Lectern recognizes them once everything else is read, unless the settings say otherwise."
    ),
    "documents.picture": (
        "{name} is a picture. Lectern recognizes the text in it once everything else is read, "
        "unless the settings say otherwise."
    ),
    "documents.picture_slides": (
        "{name} contains no text; its slides are pictures. "
        "Lectern recognizes them once everything else is read, unless the settings say otherwise."
    ),
    "documents.none_recognized": "{name} contains no text, and none could be recognized in its pictures.",
    "documents.too_many_pixels": (
        "{name} has {count} million pixels; Lectern reads pictures of up to {limit} million. Save it smaller."
    ),
    "documents.damaged": (
        "{name} cannot be read: the {format} file is damaged. If it opens elsewhere, save a copy."
    ),
    "documents.not_converted": (
        "{name} cannot be read: LibreOffice cannot open it. It may be damaged or protected by a password."
    ),
    "documents.password": "{name} is protected by a password. Save it without one and add it again.",
    "documents.copy_protected": "{name} is copy-protected. Lectern can only read books without protection.",
    "documents.defines_entities": ("{name} may be harmful (it defines XML entities), so it was not read."),
    "documents.unpacks_too_large": ("{name} would be far too large when unpacked, so it was not opened."),
    "documents.too_much_text": "{name} holds more text than Lectern reads from one file. Split it.",
    "documents.too_many_pages": (
        "{name} has {count} pages; Lectern reads up to {limit} from one file. Split it."
    ),
    "documents.too_many_slides": (
        "{name} has {count} slides; Lectern reads up to {limit} from one file. Split it."
    ),
    "documents.too_many_sentences": (
        "{name} has {count} sentences; Lectern reads up to {limit} from one file. Split it."
    ),
    # What is missing of a file that was read
    "documents.unread_slides": "{count} of {total} slides could not be read completely.",
    "documents.unread_pages": "{count} of {total} pages could not be read.",
    "documents.unread_chapters": "{count} of {total} chapters could not be read.",
    "documents.unread_cells": "{count} of {total} cells could not be read.",
    "documents.unread_sheets": "{count} of {total} sheets could not be read.",
    # Reading it
    "documents.nested_too_deep": ("{name} is nested too deeply to read. Save it as PDF and add that."),
    "documents.reader_crashed": (
        "Reading {name} failed again and again, so it was left out. Save a new copy, or save it as PDF."
    ),
    "documents.too_slow": Plural(
        "{name} took more than {n} second to read, so reading it was stopped. Split it into smaller files.",
        "{name} took more than {n} seconds to read, so reading it was stopped. Split it into smaller files.",
    ),
    "documents.reader_killed": ("{name} was not read, perhaps for lack of memory. Lectern will try again."),
    "documents.reader_waited": Plural(
        "{name} was not read within {n} minute; the disk or computer is too busy. Lectern will try again.",
        "{name} was not read within {n} minutes; the disk or computer is too busy. Lectern will try again.",
    ),
    "documents.too_much_memory": ("{name} needs too much memory. Split it into smaller files."),
    # Showing its pages
    "documents.pages_changed": (
        "{name} has changed since it was read, so its text is shown instead of its pages."
    ),
    "documents.pages_not_shown": "The pages of {name} cannot be shown, so its text is shown instead.",
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
    "hearing.ends_early": "It can be heard up to minute {minute}; the rest is damaged or missing.",
    "hearing.has_captions": "{name} has captions beside it, which are read instead.",
    "hearing.no_language": "Lectern cannot transcribe “{language}”. Enter a language's code, such as de.",
    "hearing.no_model": "There is no Whisper model in the form of CTranslate2 in {folder}.",
    "hearing.no_recording": "{name} is not a recording that Lectern can play.",
    "hearing.no_sound": "{name} has no sound, or is damaged or not wholly there.",
    "hearing.no_transcript": "The transcript is no longer in the library.",
    "hearing.nothing_left": "A transcript cannot be without any text.",
    "hearing.nothing_said": "Nothing is said in {name}, as far as it can be understood.",
    "hearing.stopped": (
        "Hearing {name} was given up, perhaps for lack of memory. What was heard is kept; "
        "a smaller model may help."
    ),
    "hearing.too_little_memory": "This computer has too little memory for a model that hears.",
    "ingest.unheard": (
        "What is said in it can be transcribed, or read from captions (.srt or .vtt) of the same name."
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
