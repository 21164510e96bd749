"""Parts of the admin's forms: the order of their fields, and lists of objects as rows."""
