"""What a provider sends in answer to one request: text, reasoning, calls."""
