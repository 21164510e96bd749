"""The sidebar: the list of chats, and what people do with them there."""
