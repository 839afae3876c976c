"""Model servers: one package per protocol."""
