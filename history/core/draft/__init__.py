"""A projection at work."""
