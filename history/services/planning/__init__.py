"""Plan a request from what the database has, and store the plan."""
