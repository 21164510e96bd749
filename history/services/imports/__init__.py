"""Chats from other programs' files: read one by one, stored whole or not at all."""
