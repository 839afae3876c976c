"""The pages of study material."""
