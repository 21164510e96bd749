"""Stand-ins for providers, one per family, that refuse whatever the real ones refuse."""
