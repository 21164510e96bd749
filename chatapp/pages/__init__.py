"""The pages of a chat. Presenters read stored rows; views answer requests with what they show."""
