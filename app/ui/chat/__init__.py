"""The conversation and the composer."""
