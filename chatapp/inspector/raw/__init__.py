"""The panel's zone with the raw data: the request, the response, and a command line."""
