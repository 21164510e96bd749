"""What a chat that has not begun shows: whom it can be with, and what its model is."""
