"""The record of each projection, and comparisons between records."""
