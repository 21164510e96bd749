"""What all rooms say things with: facts, errors, and how numbers and texts are written."""
