"""The course sidebar."""
