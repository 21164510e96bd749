"""The actions of people and generations on a conversation."""
