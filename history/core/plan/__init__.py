"""The record of a projection, and comparisons of such records."""
