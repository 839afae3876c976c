"""What runs before the window: single instance, system check, crash reports, imports, log file."""
