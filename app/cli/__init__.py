"""The command line: the same core and library as the window, without Qt."""
