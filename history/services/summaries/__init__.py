"""Summaries: what they are made of, when they are due, and how a model writes them."""
