"""What the admin's forms are made of: the order of their fields, and lists of objects as rows."""
