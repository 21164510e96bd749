"""Requests as they left, with their outcomes and costs: how they are stored and read again."""
