"""QThread workers: core's generators in, signals out."""
