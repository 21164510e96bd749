"""What is shown of stored messages."""
