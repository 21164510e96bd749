"""The panel's raw zone: the request, what came back, and as a command."""
