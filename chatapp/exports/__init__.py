"""Chats as files to download: Markdown for people, and every format as a stream."""
