"""What is learnt from the courses: making items, reviewing them, giving them away."""
