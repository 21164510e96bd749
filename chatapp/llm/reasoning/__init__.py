"""Reasoning: read from each provider's stream, and given back in the form that it takes."""
