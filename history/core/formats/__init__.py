"""Conversations in the formats of others."""
