"""What stored requests have cost."""
