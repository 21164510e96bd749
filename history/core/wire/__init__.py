"""The body that a library is handed for a request, and the body that left the process."""
