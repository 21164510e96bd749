"""The panel's raw zone: the request, the response, and a command line."""
