"""What people do with a chat as a whole: name it, put it away."""
