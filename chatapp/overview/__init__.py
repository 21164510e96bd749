"""What staff see of all conversations: `/inspect/`, and any transcript, read-only."""
