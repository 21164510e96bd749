"""Sentences on resolved settings: the sources of their values, and contradictions among them."""
