"""Messages about the library: its file, its trash, the settings and the workers."""

TEXTS = {
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
}
