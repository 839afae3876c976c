"""The keys of the commands: which they are, and the page that changes them."""
