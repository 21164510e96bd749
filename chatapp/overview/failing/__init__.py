"""The list of answers that failed, and why they did."""
