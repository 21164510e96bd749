"""What open tabs are shown while an answer is written."""
