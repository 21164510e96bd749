"""Requests as they left: stored with their plan, and read again."""
