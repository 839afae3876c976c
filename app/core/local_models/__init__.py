"""Language models that Lectern runs itself: which there are, their files, and what runs them."""
