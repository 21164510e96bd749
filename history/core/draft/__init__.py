"""The working state of a projection."""
