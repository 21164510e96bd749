"""Files with chats from other programs: received, read in the background, reported."""
