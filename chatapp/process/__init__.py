"""What the process does by itself: at its start, now and then, and at its end."""
