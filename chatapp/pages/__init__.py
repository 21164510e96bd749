"""The pages of a chat. Presenters read stored rows for views, which answer the requests."""
