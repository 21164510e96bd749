"""The server in front of the pages: connections, addresses, headers, early answers."""
