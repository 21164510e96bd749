"""The pages of a chat. Presenters read stored rows; message_views.py answers to messages."""
