"""Before the window: one instance, what the system lacks, crash reports."""
