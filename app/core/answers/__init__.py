"""From passages to answers."""
