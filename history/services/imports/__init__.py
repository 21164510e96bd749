"""Import chats from other programs' files: each is read by itself, and stored whole or not."""
