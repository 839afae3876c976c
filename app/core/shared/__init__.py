"""Libraries on a Chroma server that a class shares: publishing courses to one, and searching one."""
