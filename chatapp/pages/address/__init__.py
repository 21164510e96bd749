"""What a page makes of the address it is opened by."""
