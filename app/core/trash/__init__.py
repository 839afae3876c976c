"""Removing, restoring and deleting for good."""
