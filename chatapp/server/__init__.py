"""What the server does before a page is reached: connections, addresses, headers, early answers."""
