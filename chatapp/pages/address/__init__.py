"""How a page reads its own address, and what it says about it."""
