"""Scripted providers, one of each family, that refuse what the real ones refuse."""
