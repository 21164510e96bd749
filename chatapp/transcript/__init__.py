"""Show stored messages in a chat."""
