"""Compute a projection: what is sent of a transcript under some settings."""
