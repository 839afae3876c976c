"""The language of the user, as the system has it."""

import locale
import os
import sys


def user_language() -> str:
    """Return the two letters of the user's language, such as "de"; "" if the system does not say."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        code = os.environ.get(name, "")[:2].lower()
        if code.isalpha() and len(code) == 2:
            return code
    if sys.platform == "win32":
        import ctypes

        number = ctypes.windll.kernel32.GetUserDefaultUILanguage()
        return locale.windows_locale.get(number, "")[:2]
    return ""
