"""One answer, from the request to its end, and everything around it."""
