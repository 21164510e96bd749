"""The sidebar: the list of chats, and what is done with them there."""
