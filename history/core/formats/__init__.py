"""Conversations in other programs' formats."""
