"""Everything of an installation in one file, taken while people chat, and put back."""
