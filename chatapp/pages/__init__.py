"""The pages of a chat. Presenters read stored rows; message_views.py serves single messages."""
