"""Libraries on Chroma servers: publishing, subscribing, searching."""
