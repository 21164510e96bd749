"""Sentences on resolved settings: the sources of their values, and their contradictions."""
