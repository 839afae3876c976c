"""Stand-ins with real behaviour that the tests run against."""
