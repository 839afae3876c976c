"""Settings, places and secrets."""
