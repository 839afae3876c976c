"""Shared libraries in the window: publishing, subscribing, and how their servers are."""
