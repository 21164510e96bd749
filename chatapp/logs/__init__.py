"""What is logged, and how."""
