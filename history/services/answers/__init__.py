"""What people and generations do to a conversation."""
