"""What a provider streams: its lines, what libraries misread in them, and how much it was."""
