"""Files with chats from elsewhere: received, read in the background, reported."""
