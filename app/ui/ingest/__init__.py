"""Reading files: progress, failures, syncing watched folders."""
