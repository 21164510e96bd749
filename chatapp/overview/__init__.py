"""What staff see of all conversations: `/inspect/`, and any transcript to be read."""
