"""Lectern: ask your course material, and see where every answer comes from."""

import os

# Read by numpy when it is first imported. Its products here take a few milliseconds: threads of its own
# keep a core busy for a tenth of a second after each, which the embedding model then lacks.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

__version__ = "0.2.0"
