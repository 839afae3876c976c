"""Messages about settings and directories."""

TEXTS = {
    "config.no_home": (
        "This user has no home directory, so there is no place for a library. Set HOME, or all of "
        "LECTERN_DATA_DIR, LECTERN_CONFIG_DIR and LECTERN_CACHE_DIR."
    ),
    "config.resource_missing": "{path} is missing from this installation of Lectern; install it again.",
    "config.settings_not_saved": "The settings could not be saved in {path} ({reason}).",
}
