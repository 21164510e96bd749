"""The map of a plan, row by row."""
