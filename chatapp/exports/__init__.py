"""Chats as files to save: Markdown for people, and every form as a stream."""
