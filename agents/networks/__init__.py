"""Agents that answer one conversation together: who is in, and how one hands over to another."""
