"""What replays under other settings found, in words."""
