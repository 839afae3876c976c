"""What a course teaches of a list of questions, and whether its passages are still found."""
