"""`/config` in the chat: the history settings that a conversation has of its own."""
