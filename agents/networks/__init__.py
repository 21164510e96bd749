"""Agents that answer one conversation together: the members, and how they hand over."""
