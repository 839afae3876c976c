"""``python -m app`` and the console script ``lectern``."""

import gc
import sys


def run() -> None:
    """Run Lectern and leave with its exit code."""
    if getattr(sys, "frozen", False):
        from multiprocessing import freeze_support  # here, because its import delays the first frame

        freeze_support()  # in a child, runs its work and ends
    gc.disable()  # importing would start dozens of collections; a command resumes them, or the open window
    from app.main import main

    sys.exit(main())


if __name__ == "__main__":
    run()
