"""What reading a folder would do, shown before it is read, to be corrected."""
