"""``python -m app`` and the console script ``lectern``."""

import sys

from app.main import main


def run() -> None:
    """Run Lectern and leave with its exit code."""
    sys.exit(main())


if __name__ == "__main__":
    run()
