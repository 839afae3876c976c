"""Makes what people download from the packaged program; no part of the running program."""
