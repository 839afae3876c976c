"""Drills: what Lectern promises when a process, the power or a disk fails (docs/reliability.md)."""
