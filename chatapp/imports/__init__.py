"""Imports: files with chats from other programs are received, read in the background, reported."""
