"""Logging: which entries are written, and in which format."""
