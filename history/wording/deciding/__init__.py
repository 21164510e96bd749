"""What settings decide: where each value is from, and which contradict each other."""
