"""Logging: which entries are written, and in what form."""
