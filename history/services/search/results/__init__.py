"""What a search found: how good it is, how it is shown, and where its page ends."""
