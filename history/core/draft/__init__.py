"""The state of a projection while its stages work on it."""
