"""What a search found: how good each match is, how it is shown, and where a page ends."""
