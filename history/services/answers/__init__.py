"""What a person or a generation does to a conversation."""
