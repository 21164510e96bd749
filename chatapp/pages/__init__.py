"""What the pages of a chat show. Presenters read stored rows; fragments.py answers to messages."""
