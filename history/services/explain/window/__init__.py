"""Where the window begins, and how full it is."""
