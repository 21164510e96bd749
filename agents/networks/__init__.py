"""Agents that answer one conversation together: who is in, and how they hand over."""
