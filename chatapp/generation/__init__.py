"""One answer, from the request to its end, and all that happens beside it."""
