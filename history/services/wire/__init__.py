"""Requests as they left, with their outcomes and costs: stored with their plan, and read again."""
