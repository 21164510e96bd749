"""Fake servers, one for each family of providers, that refuse whatever the real ones refuse."""
