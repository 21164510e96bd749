"""What is logged, and how it reads."""
