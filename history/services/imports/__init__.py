"""Import chats from files. Each chat is read by itself, and stored whole or not at all."""
