"""What open tabs show while an answer is being written."""
