"""A projection: what is sent, computed from a transcript and settings."""
